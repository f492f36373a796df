import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { OwnedNft } from '../../../lib/domain/nft/owned-nft.ts'
import { maxFollowerLagSeconds, maxStaleSeconds } from '../../../lib/domain/reading/freshness.ts'
import { type AskedCall, type CallerWish, sliceOf } from './reads.ts'
import type { ChainState } from './simulated-chain.ts'
import { shownMetadata, unstatedMilliseconds } from './simulated-indexer.ts'
import { followedChain, nftAt, type World } from './world.ts'

/** A response to a player, and what was asked of the indexer for it. */
export interface Answer {
  wallets: readonly Address[]
  wish: CallerWish
  start: number
  end: number
  /** In milliseconds since 1970. */
  asOf: number
  isStale: boolean
  entries: readonly OwnedNft[]
  calls: readonly AskedCall[]
  /** The NFTs whose contract's metadata was fetched anew before the request, and how often. */
  fetches: ReadonlyMap<string, number>
}

export class Violation extends Error {}

export function expectThat(holds: boolean, rule: string, ...facts: unknown[]): void {
  if (!holds)
    throw new Violation(`${rule}: ${facts.map((fact) => JSON.stringify(fact)).join(', ')}`)
}

/** Whether a token of a wallet is in a response as a state of the chain explains. */
interface Slice {
  chain: Chain
  wallet: Address
  states: readonly ChainState[]
  shown: ReadonlyMap<number, OwnedNft>
  start: number
  end: number
}

/** Expects that a complete response is what the wallets held at a moment that its `asOf` permits. */
export function expectHeld(world: World, answer: Answer): void {
  const { asOf, end, wallets } = answer
  expectThat(asOf <= end, 'asOf is not in the future', asOf - end)
  const rule = 'an answer is what the wallet held at a moment since asOf less the settling time'
  for (const [chain, { statesIn }] of world.chains) {
    const states = [...new Set(statesIn(asOf - toleranceOf(world, answer), end))]
    for (const wallet of wallets) expectOneOf(states, rule, { chain, wallet }, world, answer)
  }
}

/**
 * Expects that what is remembered on the followed chain is what the wallet held since `asOf`, to the second: no movement
 * before it is missing.
 */
export function expectKnown(world: World, answer: Answer): void {
  const { asOf, calls, isStale } = answer
  const chain = world.chains.get(followedChain)
  if (!chain || isStale) return
  const asked = new Set(calls.map(sliceOf))
  const rule = 'a remembered answer is what the wallet held at a moment since asOf'
  for (const slice of world.slicesOf(answer)) {
    if (slice.chain !== followedChain || asked.has(sliceOf(slice))) continue
    const wallet = { chain: slice.chain, wallet: slice.owner }
    expectOneOf(chain.statesSince(asOf), rule, wallet, world, answer)
  }
}

/** Expects that one of some states explains what is shown of a wallet. */
function expectOneOf(
  states: readonly ChainState[],
  rule: string,
  { chain, wallet }: Pick<Slice, 'chain' | 'wallet'>,
  world: World,
  { asOf, start, end, entries, isStale }: Answer,
): void {
  const shown = new Map(
    entries
      .filter((nft) => nft.chain === chain && nft.owner === wallet)
      .map((nft) => [Number(nft.tokenId), nft]),
  )
  const slice = { chain, wallet, states, shown, start, end }
  const tokens = [...(states[0] as ChainState).owners.keys()]
  const isOnePage = states.every(
    ({ owners }) => owners.filter((owner) => owner === wallet).length <= world.pageSize,
  )
  // The pages of one reading can be of several moments.
  const groups = isOnePage ? [tokens] : tokens.map((token) => [token])
  for (const group of groups) {
    expectThat(
      states.some((state) => group.every((token) => isExplained(world, slice, token, state))),
      rule,
      { chain, wallet, asOf: end - asOf, isStale, took: end - start },
      [...shown].map(([token, nft]) => [token, nft.metadata.text]),
      states.map((state) => heldIn(state, wallet)),
    )
  }
}

/**
 * How far the data of a response can be before its `asOf`, in milliseconds. Only what is read anew, or is stale, can come
 * from an indexer that states no block.
 */
export const toleranceOf = (
  { settlingMilliseconds }: World,
  { calls, isStale }: Pick<Answer, 'calls' | 'isStale'>,
): number =>
  isStale || calls.some(({ hasNoBlock }) => hasNoBlock)
    ? settlingMilliseconds + unstatedMilliseconds
    : settlingMilliseconds

const heldIn = ({ owners }: ChainState, wallet: Address) =>
  [...owners.keys()].filter((token) => owners[token] === wallet)

/** Whether a state explains that a token is shown, or is not. */
export function isExplained(
  world: World,
  { chain, wallet, shown, start, end }: Slice,
  token: number,
  { owners, versions }: ChainState,
): boolean {
  const isHeld = owners[token] === wallet
  const nft = shown.get(token)
  const { everAllowed, alwaysAllowed } = world.allowlist
  const key = nftAt(chain, token)
  if (!nft) return !(isHeld && alwaysAllowed(key, start, end))
  const isCurrent = shownMetadata(nft).version === (versions.get(nft.address) ?? 0)
  return isHeld && isCurrent && everAllowed(key, start, end)
}

type Wished = Pick<Answer, 'wish' | 'start' | 'asOf' | 'isStale' | 'calls'>

/**
 * Expects that a response is as new as the caller wants it to be, and stale only if that is asked for and needed.
 * `permittedSeconds`: the age that the deployment permits, if all of the response was kept.
 */
export function expectWished(answer: Wished, hasKept: boolean, permittedSeconds: number): void {
  const { wish, start, asOf, isStale, calls } = answer
  const hasFailed = calls.some(({ failed }) => failed)
  expectThat(!calls.some(({ refused }) => refused), 'an exhausted product is refused', calls)
  if (isStale) {
    const seconds = Math.min(wish.staleIfError ?? 0, maxStaleSeconds)
    expectThat(wish.staleIfError !== undefined && hasFailed, 'stale is asked for and needed', wish)
    expectThat(asOf >= start - seconds * 1_000, 'stale is not too old', wish, start - asOf)
    return
  }
  expectThat(!hasFailed, 'an answer after an error of the indexer is stale', calls)
  if (!hasKept) return
  expectThat(!wish.noCache, 'no-cache asks the indexer', wish)
  if (calls.length > 0) return
  expectThat(asOf >= start - permittedSeconds * 1_000, 'the age is permitted', start - asOf)
  const maxAge = wish.maxAge ?? Number.POSITIVE_INFINITY
  expectThat(asOf >= start - maxAge * 1_000, 'max-age is kept', wish, start - asOf)
}

/** Expects that a complete response is as new as the caller and the deployment want it to be. */
export function expectFresh(world: World, answer: Answer): void {
  const { start, isStale, calls, fetches, entries } = answer
  const { rememberSeconds, rememberFollowedSeconds } = world.history
  const asked = new Set(calls.map(sliceOf))
  const remembered = world.slicesOf(answer).filter((slice) => !asked.has(sliceOf(slice)))
  const isAllFollowed = remembered.every(({ chain }) => chain === followedChain)
  const permitted = Math.max(maxFollowerLagSeconds, isAllFollowed ? 0 : rememberSeconds)
  expectWished(answer, remembered.length > 0, permitted)
  if (isStale) return
  for (const nft of entries) {
    const known = fetches.get(`${nft.chain} ${nft.address}`) ?? 0
    expectThat(shownMetadata(nft).fetches >= known, 'a refresh is seen', nft, known)
  }
  for (const slice of remembered) {
    const seconds = slice.chain === followedChain ? rememberFollowedSeconds : rememberSeconds
    const statedAt = world.lastStated.get(sliceOf(slice)) ?? Number.NEGATIVE_INFINITY
    expectThat(
      statedAt > start - seconds * 1_000,
      'the deployment permits it',
      slice,
      start - statedAt,
    )
  }
}
