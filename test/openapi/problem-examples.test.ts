import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { example } from '../../lib/contract/documentation.ts'
import { proofFaults } from '../../lib/contract/wallet-proof.ts'
import { rangeLimits } from '../../lib/domain/allowlist/allowlist-limits.ts'
import * as credentials from '../../lib/domain/credential-failures.ts'
import * as failures from '../../lib/domain/failures.ts'
import type { Limit } from '../../lib/domain/limit/limit.ts'
import { toAddress } from '../../lib/domain/nft/address.ts'
import { type ProblemCode, problems } from '../../lib/domain/problems.ts'
import { maxKeysPerProduct } from '../../lib/domain/product/product-key.ts'
import type { StoredProduct } from '../../lib/domain/product/stored-product.ts'
import * as signIn from '../../lib/domain/sign-in/failures.ts'
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
  const contract = { address: toAddress(example.contracts.gear), chain: 'BSC' }
  const unbinding = { query: `contractAddress=${contract.address}&chain=SOLANA` }
  const refuse = (error: Error) => ({ verify: async () => fail(error)() })
  const registration = { name: 'n'.repeat(1_048_576) }
  const many = new failures.TooManyWebhookContracts(
    'Events are for 20 contracts; this product has 21.',
  )

  const answerOf = (stored: StoredProduct) =>
    answer('getProduct', {}, undefined, {
      productAccess: { ...callers.productAccess, get: async () => stored },
    })

  const failing = (error: Error) => () => answer('getProduct', {}, fail(error))

  const each = <Code extends ProblemCode>(
    codes: readonly Code[],
    failureOf: (code: Code) => failures.Failure,
  ) =>
    Object.fromEntries(codes.map((code) => [code, failing(failureOf(code))])) as Record<
      Code,
      ReturnType<typeof failing>
    >

  const polls: readonly signIn.PollError[] = [
    ...(['authorization_pending', 'slow_down', 'access_denied'] as const),
    ...(['expired_token', 'invalid_grant'] as const),
  ]
  const wallets: readonly signIn.WalletRefusal[] = [
    ...(['wallet_of_another_user', 'too_many_wallets', 'last_wallet'] as const),
    ...(['no_such_wallet', 'proof_of_newer_wallet', 'consent_of_other_wallet'] as const),
  ]

  const cases: Record<ProblemCode, () => ReturnType<typeof answer>> = {
    ...each(proofFaults, (code) => new signIn.RefusedProof(code, { accounts: {} })),
    chain_unavailable: failing(new signIn.ChainUnavailable('')),
    ...each(polls, (code) => new signIn.RefusedGrant(code)),
    ...each(wallets, (code) => new signIn.RefusedProof(code, {})),
    invalid_client: failing(new signIn.InvalidClient()),
    client_authentication_failed: failing(new signIn.RefusedClient('client_password')),
    unsupported_grant_type: failing(new signIn.UnsupportedGrantType()),
    unknown_user_code: failing(new signIn.UnknownUserCode()),
    user_code_expired: failing(new signIn.DecidedBefore('expired')),
    already_decided: failing(new signIn.DecidedBefore('approved')),
    missing_session: () => answer('getGames', { headers: {} }),
    invalid_session: () =>
      answer('getGames', {}, undefined, { sessions: { get: async () => undefined } }),
    invalid_json: () => answer('registerProduct', { body: '{' }),
    invalid_request: () => answer('unbindContract', unbinding),
    cursor_expired: failing(new failures.CursorExpired()),
    missing_api_key: () => answer('getProduct', { headers: {} }),
    invalid_api_key: () =>
      answer('getProduct', {}, undefined, { apiKeys: { referenceOf: async () => undefined } }),
    missing_user_token: () => answer('createPlayerToken', { headers: {} }),
    invalid_user_token: () =>
      answer('createPlayerToken', {}, undefined, {
        userJwts: refuse(new credentials.InvalidUserJwt('expired')),
      }),
    invalid_player_token: () =>
      answer('getPlayerDetails', {}, undefined, {
        playerTokens: refuse(new credentials.InvalidPlayerToken('foreign')),
      }),
    player_token_expired: () =>
      answer('getPlayerDetails', {}, undefined, {
        playerTokens: refuse(new credentials.PlayerTokenExpired()),
      }),
    contract_not_connected: failing(new failures.ContractNotConnected(contract)),
    product_stopped: () => answerOf(storedProduct({ stoppedAt: '2026-11-02T00:00:00.000Z' })),
    insufficient_scope: () => answerOf(storedProduct({}, { scope: 'READ' })),
    key_not_found: failing(new failures.KeyNotFound()),
    webhook_not_found: failing(new failures.WebhookNotFound()),
    key_ended: failing(new failures.KeyEnded()),
    last_key: failing(new failures.LastKey()),
    too_many_keys: failing(new failures.TooManyKeys(maxKeysPerProduct)),
    too_many_webhook_contracts: failing(many),
    too_many_webhooks: failing(new failures.TooManyWebhooks(5)),
    webhook_not_verified: failing(new failures.WebhookNotVerified()),
    too_many_ranges: failing(new failures.TooManyRanges('contract', rangeLimits.rangesPerContract)),
    too_many_nfts: failing(new failures.TooManyNfts(rangeLimits.tokenIdsInUnboundRanges)),
    payload_too_large: () => answer('registerProduct', { body: registration }),
    unsupported_media_type: () =>
      answer('registerProduct', { body: 'name=x', headers: { 'content-type': 'text/plain' } }),
    rate_limited: failing(
      new failures.RateLimited(serviceProblems.rate_limited.limit as Limit, 12),
    ),
    internal_error: failing(new Error('a defect')),
    indexer_unavailable: failing(new failures.IndexerUnavailable('')),
    service_unavailable: failing(new failures.ServiceUnavailable('')),
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
