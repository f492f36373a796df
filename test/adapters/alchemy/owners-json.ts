import type { OwnedAmount, TokenOwners } from '../../../lib/domain/ports/indexer.ts'
import { inTime, onBsc } from './alchemy-stub.ts'

/** The largest balance, and identifier. */
export const max = 2n ** 256n - 1n

/** An entry of a page in the indexer's JSON. */
export const entry = (of: string, ...balances: [tokenId: string, balance: string][]) =>
  `{"ownerAddress":"${of}","tokenBalances":[${balances.map(
    ([tokenId, balance]) => `{"tokenId":${tokenId},"balance":${balance}}`,
  )}]}`

/** A page of owners in the indexer's JSON. */
export const pageOf = (entries: readonly string[], more = ',"pageKey":null') =>
  `{"owners":[${entries.join()}]${more}}`

/** Reads a page with a distant deadline. */
export async function readPage(
  tokenOwners: TokenOwners,
  { pageKey, deadline = inTime() }: { pageKey?: string | undefined; deadline?: number } = {},
) {
  const taken: OwnedAmount[] = []
  const next = await tokenOwners.page({ contract: onBsc, pageKey, deadline }, (owned) => {
    taken.push(owned)
  })
  return { taken, next }
}
