import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { nodeSmartAccounts } from '../../../lib/adapters/accounts/smart-accounts.ts'
import { alchemyIndexer } from '../../../lib/adapters/alchemy/alchemy-indexer.ts'
import { alchemyChainEvents } from '../../../lib/adapters/alchemy/chain-events.ts'
import { alchemyChainState } from '../../../lib/adapters/alchemy/chain-state.ts'
import { alchemyTokenOwners } from '../../../lib/adapters/alchemy/token-owners.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { toAddress } from '../../../lib/domain/nft/address.ts'
import type { ContractKey } from '../../../lib/domain/nft/nft.ts'
import type { OwnedNft } from '../../../lib/domain/nft/owned-nft.ts'
import type { Indexer, OwnedAmount, TokenOwners } from '../../../lib/domain/ports/indexer.ts'
import { serve } from '../../support/services/http-server.ts'

export interface SeenRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
  connection: unknown
}

/** The body of all responses, or what responds to one request; `turn` counts the requests from 0. */
export type Answer =
  | string
  | Uint8Array
  | ((response: ServerResponse, request: SeenRequest, turn: number) => unknown)

export const apiKey = 'a-very-secret/key'
export const owner = toAddress(`0x${'0a'.repeat(20)}`)
export const contract = toAddress(`0x${'c1'.repeat(20)}`)
export const onBsc: ContractKey = { chain: 'BSC', address: contract }
export const elsewhere = toAddress(`0x${'99'.repeat(20)}`)
export const inTime = () => Date.now() + 20_000

/** The adapters that call an indexer, and the requests that it received. */
export type Stub = Awaited<ReturnType<typeof stubIndexer>>

/** An indexer with these responses, and the adapters that call it. All end with the test. */
export async function stubIndexer(
  answer: Answer,
  key: (options?: { anew?: boolean }) => Promise<string> = async () => apiKey,
) {
  const requests: SeenRequest[] = []
  const baseUrl = await serve(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub')
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: await text(request),
      connection: request.socket,
    }
    requests.push(seen)
    if (typeof answer === 'function') answer(response, seen, requests.length - 1)
    else response.end(answer)
  })
  return {
    indexer: alchemyIndexer(key, { baseUrl }),
    chainEvents: alchemyChainEvents(key, { baseUrl }),
    chainState: alchemyChainState(key, { baseUrl }),
    tokenOwners: alchemyTokenOwners(key, { baseUrl }),
    smartAccounts: nodeSmartAccounts(key, { baseUrl }),
    requests,
  }
}

export const http =
  (code: number, body: string | Uint8Array, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body)

/** An owned NFT in the indexer's JSON; a member with the value `undefined` is omitted. */
export const nftJson = (members: Record<string, string | undefined> = {}): string => {
  const all: Record<string, string | undefined> = {
    contract: `{"address":"${contract}","spamClassifications":[]}`,
    tokenId: '"1"',
    tokenType: '"ERC721"',
    name: 'null',
    tokenUri: 'null',
    raw: '{"tokenUri":"","metadata":{},"error":null}',
    balance: '"1"',
    ...members,
  }
  const parts = Object.entries(all).flatMap(([name, json]) =>
    json === undefined ? [] : [`${JSON.stringify(name)}:${json}`],
  )
  return `{${parts.join()}}`
}

export const nftWith = (metadata: string, members: Record<string, string> = {}): string =>
  nftJson({ raw: `{"tokenUri":"","metadata":${metadata},"error":null}`, ...members })

export const pageJson = (nfts: readonly string[], pageKey = 'null'): string =>
  `{"ownedNfts":[${nfts.join()}],"totalCount":${nfts.length},"validAt":{"blockNumber":1},"pageKey":${pageKey}}`

/** The failure of a call that must fail with {@link IndexerUnavailable}, checked for secrets. */
export async function failureOf(call: Promise<unknown>): Promise<IndexerUnavailable> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(failure instanceof IndexerUnavailable)) throw failure ?? new Error('The call succeeded.')
  const details = `${failure.stack} ${JSON.stringify(failure)} ${failure.message} ${failure.cause}`
  if (details.includes('secret') || details.includes('127.0.0.1'))
    throw new Error(`It tells: ${details}`)
  return failure
}

/** Expects a call to find the answer of an indexer malformed, by default for any reason, and not to ask again. */
export async function expectMalformed(
  answer: Answer,
  ask: (stub: Stub) => Promise<unknown>,
  reason?: string,
): Promise<void> {
  const stub = await stubIndexer(answer)
  const failure = await failureOf(ask(stub))
  expect(failure.reason).toMatch(/^malformed answer: /)
  if (reason) expect(failure.reason).toBe(`malformed answer: ${reason}`)
  expect(stub.requests).toHaveLength(1)
}

export const askPage = (
  indexer: Indexer,
  query: Partial<Parameters<Indexer['ownedNfts']>[0]> = {},
): ReturnType<Indexer['ownedNfts']> =>
  indexer.ownedNfts({
    ...{ chain: 'POLYGON', owner, contracts: [contract], deadline: inTime() },
    ...query,
  })

/**
 * Follows the page keys to the end, like requests that read one page each. `isOneRequest`: as one request
 * does, which remembers the NFTs.
 */
export async function readAll(indexer: Indexer, { isOneRequest = false } = {}) {
  const seen = new Set<string>()
  const nfts: OwnedNft[] = []
  let next: Partial<Awaited<ReturnType<Indexer['ownedNfts']>>> | undefined
  do {
    const { pageKey, progress } = next ?? {}
    next = await askPage(indexer, {
      ...(pageKey !== undefined && { pageKey }),
      ...(progress && { progress }),
      ...(isOneRequest && { seen }),
    })
    nfts.push(...(next.nfts ?? []))
  } while (next.pageKey !== undefined)
  return nfts
}

/** The page that the adapter reads from this answer. */
export const pageOf = async (answer: Answer) => askPage((await stubIndexer(answer)).indexer)

export const max = 2n ** 256n - 1n

export const ownerJson = (owner: string, ...balances: [tokenId: string, balance: string][]) =>
  `{"ownerAddress":"${owner}","tokenBalances":[${balances.map(
    ([tokenId, balance]) => `{"tokenId":${tokenId},"balance":${balance}}`,
  )}]}`

export const ownersJson = (entries: readonly string[], more = ',"pageKey":null') =>
  `{"owners":[${entries.join()}]${more}}`

export async function readOwners(
  tokenOwners: TokenOwners,
  { pageKey, deadline = inTime() }: { pageKey?: string | undefined; deadline?: number } = {},
) {
  const taken: OwnedAmount[] = []
  const next = await tokenOwners.page({ contract: onBsc, pageKey, deadline }, (owned) => {
    taken.push(owned)
  })
  return { taken, next }
}
