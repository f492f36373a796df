import type { Address } from '../domain/address.ts'
import type { ContractRefresh } from '../domain/refresh.ts'
import { compareTexts } from '../domain/text.ts'
import type { VerbatimJson } from '../json/verbatim-json.ts'
import { renderRaw } from './nft-entries.ts'
import { maxResponseBytes } from './response-size.ts'

/**
 * The response of 4.7 (D31): the counts over all chains, the oldest of their times, and the changed NFTs
 * in raw form up to the maximum size; `omitted` counts the other changed NFTs.
 */
export function reportRefresh(smartContract: Address, refreshes: readonly ContractRefresh[]) {
  const states = refreshes.map(({ state }) => state)
  const sum = (count: 'checked' | 'changed' | 'failed' | 'pending') =>
    states.reduce((total, state) => total + state[count], 0)
  const changed = sum('changed')
  const tokens = changedTokens(refreshes)
  return {
    smartContract,
    chains: refreshes.map(({ contract }) => contract.chain),
    checked: sum('checked'),
    changed,
    failed: sum('failed'),
    pending: sum('pending'),
    refreshedAt: states.map(({ refreshedAt }) => refreshedAt).sort(compareTexts)[0] as string,
    tokens,
    ...(changed > tokens.length && { omitted: changed - tokens.length }),
  }
}

function changedTokens(refreshes: readonly ContractRefresh[]): VerbatimJson[] {
  const tokens: VerbatimJson[] = []
  let room = maxResponseBytes
  for (const nft of refreshes.flatMap(({ changed }) => changed)) {
    const { entry, size } = renderRaw(nft)
    room -= size
    if (room < 0) break
    tokens.push(entry)
  }
  return tokens
}
