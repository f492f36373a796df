import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { example } from '../../lib/contract/documentation.ts'
import { proofProblems } from '../../lib/contract/wallet-proof.ts'
import { rangeLimits } from '../../lib/domain/allowlist/allowlist-limits.ts'
import {
  InvalidPlayerToken,
  InvalidUserJwt,
  PlayerTokenExpired,
} from '../../lib/domain/credential-failures.ts'
import {
  ContractNotConnected,
  CursorExpired,
  type Failure,
  IndexerUnavailable,
  KeyEnded,
  KeyNotFound,
  LastKey,
  RateLimited,
  ServiceUnavailable,
  TooManyKeys,
  TooManyNfts,
  TooManyRanges,
  TooManyWebhookContracts,
  TooManyWebhooks,
  WebhookNotFound,
  WebhookNotVerified,
} from '../../lib/domain/failures.ts'
import type { Limit } from '../../lib/domain/limit/limit.ts'
import { type ProblemCode, problems } from '../../lib/domain/problems.ts'
import { maxKeysPerProduct } from '../../lib/domain/product/product-key.ts'
import type { StoredProduct } from '../../lib/domain/product/stored-product.ts'
import type { PollError, WalletRefusal } from '../../lib/domain/sign-in/failures.ts'
import {
  DecidedBefore,
  InvalidClient,
  RefusedClient,
  RefusedGrant,
  RefusedProof,
  RefusedWallet,
  UnknownUserCode,
  UnsupportedGrantType,
} from '../../lib/domain/sign-in/failures.ts'
import { problemDetails } from '../../openapi/components/problem-details.ts'
import { openApi } from '../../openapi/openapi-document.ts'
import { serviceProblems } from '../../openapi/problems/request-problems.ts'
import { callers, capturedLog, storedProduct } from '../support/memory/http-chain.ts'
import { answer, fail } from './sent-request.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests look into any part of the document
const document: any = openApi()

beforeEach(() => {
  capturedLog()
})

describe('examples of problems', () => {
  const player = { query: '' }
  const contract = { address: example.contracts.gear, chain: 'BSC' }
  const unbind = (chain: string) => ({
    query: `contractAddress=${contract.address}&chain=${chain}`,
  })
  const unbinding = { query: `${unbind('BSC').query}&tokens=*` }
  const refuse = (error: Error) => ({ verify: async () => fail(error)() })
  const creation = { body: { label: 'Game servers', scope: 'READ' } }
  const webhook = { body: { url: 'https://games.brindlewake.example/nft-events' } }
  const registration = { name: 'n'.repeat(1_048_576) }
  const many = new TooManyWebhookContracts('Events are for 20 contracts; this product has 21.')

  const answerOf = (stored: StoredProduct) =>
    answer('getProduct', {}, undefined, {
      productAccess: { ...callers.productAccess, get: async () => stored },
    })

  const failing = (failure: Failure) => () => answer('getProduct', {}, fail(failure))

  const each = <Code extends ProblemCode>(
    codes: readonly Code[],
    failureOf: (code: Code) => Failure,
  ) =>
    Object.fromEntries(codes.map((code) => [code, failing(failureOf(code))])) as Record<
      Code,
      ReturnType<typeof failing>
    >

  const polls: readonly PollError[] = [
    ...(['authorization_pending', 'slow_down', 'access_denied'] as const),
    ...(['expired_token', 'invalid_grant'] as const),
  ]
  const wallets: readonly WalletRefusal[] = [
    ...(['wallet_of_another_user', 'too_many_wallets', 'last_wallet'] as const),
    ...(['no_such_wallet', 'proof_of_newer_wallet', 'consent_of_other_wallet'] as const),
  ]

  const cases: Record<ProblemCode, () => ReturnType<typeof answer>> = {
    ...each(proofProblems, (code) => new RefusedProof(code)),
    ...each(polls, (code) => new RefusedGrant(code)),
    ...each(wallets, (code) => new RefusedWallet(code)),
    invalid_client: failing(new InvalidClient()),
    client_authentication_failed: failing(new RefusedClient('client_password')),
    unsupported_grant_type: failing(new UnsupportedGrantType()),
    unknown_user_code: failing(new UnknownUserCode()),
    user_code_expired: failing(new DecidedBefore('expired')),
    already_decided: failing(new DecidedBefore('approved')),
    missing_session: () => answer('getGames', { headers: {} }),
    invalid_session: () =>
      answer('getGames', {}, undefined, { sessions: { get: async () => undefined } }),
    invalid_json: () => answer('registerProduct', { body: '{' }),
    invalid_request: () => answer('unbindContract', unbind('SOLANA')),
    cursor_expired: () => answer('getRawMetadata', player, fail(new CursorExpired())),
    missing_api_key: () => answer('getProduct', { headers: {} }),
    invalid_api_key: () =>
      answer('getProduct', {}, undefined, { apiKeys: { referenceOf: async () => undefined } }),
    missing_user_token: () => answer('createPlayerToken', { headers: {} }),
    invalid_user_token: () =>
      answer('createPlayerToken', {}, undefined, {
        userJwts: refuse(new InvalidUserJwt('expired')),
      }),
    invalid_player_token: () =>
      answer('getPlayerDetails', {}, undefined, {
        playerTokens: refuse(new InvalidPlayerToken('foreign')),
      }),
    player_token_expired: () =>
      answer('getPlayerDetails', {}, undefined, { playerTokens: refuse(new PlayerTokenExpired()) }),
    contract_not_connected: () =>
      answer('unbindContract', unbind('BSC'), fail(new ContractNotConnected(contract as never))),
    product_stopped: () => answerOf(storedProduct({ stoppedAt: '2026-11-02T00:00:00.000Z' })),
    insufficient_scope: () => answerOf(storedProduct({}, { scope: 'READ' })),
    key_not_found: () => answer('endKey', {}, fail(new KeyNotFound())),
    webhook_not_found: () => answer('deleteWebhook', {}, fail(new WebhookNotFound())),
    key_ended: () => answer('endKey', {}, fail(new KeyEnded())),
    last_key: () => answer('endKey', {}, fail(new LastKey())),
    too_many_keys: () => answer('createKey', creation, fail(new TooManyKeys(maxKeysPerProduct))),
    too_many_webhook_contracts: () => answer('getWebhookEvents', {}, fail(many)),
    too_many_webhooks: () => answer('createWebhook', webhook, fail(new TooManyWebhooks(5))),
    webhook_not_verified: () =>
      answer('updateWebhook', { body: { state: 'active' } }, fail(new WebhookNotVerified())),
    too_many_ranges: () =>
      answer(
        'unbindNfts',
        unbinding,
        fail(new TooManyRanges('contract', rangeLimits.rangesPerContract)),
      ),
    too_many_nfts: () =>
      answer('unbindNfts', unbinding, fail(new TooManyNfts(rangeLimits.tokenIdsInUnboundRanges))),
    payload_too_large: () => answer('registerProduct', { body: registration }),
    unsupported_media_type: () =>
      answer('registerProduct', { body: 'name=x', headers: { 'content-type': 'text/plain' } }),
    rate_limited: () => {
      const { limit } = serviceProblems.rate_limited
      return answer('getPlayerDetails', {}, fail(new RateLimited(limit as Limit, 12)))
    },
    internal_error: () => answer('getProduct', {}, fail(new Error('a defect'))),
    indexer_unavailable: () => answer('getRawMetadata', player, fail(new IndexerUnavailable(''))),
    service_unavailable: () => answer('getProduct', {}, fail(new ServiceUnavailable(''))),
  }

  test.each(Object.entries(cases))('%s is the response of the service', async (code, send) => {
    const { status, headers, body } = await send()
    const shown = document.components.examples[code].value
    expect(body).toEqual(shown)
    expect(v.safeParse(problemDetails, shown).issues).toBeUndefined()
    expect(status).toBe(problems[code as ProblemCode].status)
    const { 'WWW-Authenticate': challenge, 'Retry-After': retry } = document.components.headers
    if (status === 401) expect(challenge.schema.enum).toContain(headers['www-authenticate'])
    else expect(headers).not.toHaveProperty('www-authenticate')
    if (status === 429 || status === 503)
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
    else expect(headers).not.toHaveProperty('retry-after')
    expect(retry.schema.type).toBe('integer')
  })
})
