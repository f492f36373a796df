import { tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import type { Transfer } from '../../../lib/domain/nft-events/nft-event.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import type { SimulatedTime } from '../../../simulation/simulated-time.ts'
import { change, type HeldState, ownerOf } from './held-state.ts'

/** The wallets of a history. */
export const wallets: readonly Address[] = [0xa1, 0xa2, 0xa3, 0xa4].map(addressOf)

/** The contract whose events the chain has. */
export const contract = addressOf(1)

const tokenCount = 4

export interface ModelEvent {
  index: number
  standard: NftStandard
  content: Transfer
}

export interface ModelBlock {
  number: number
  hash: string
  /** The time that it states, in milliseconds since 1970: whole seconds. */
  at: number
  parent?: ModelBlock
  events: readonly ModelEvent[]
  state: HeldState
}

/** How a chain behaves. All times are in seconds. */
interface ChainOptions {
  standard: NftStandard
  /** The share of blocks with events. */
  busy: number
  /** The share of steps that are reorganizations, and the share of these that go beyond the overlap. */
  reorganizations: number
  deep: number
  overlap: number
  /** When it ends, and when the last event is. */
  seconds: number
  quietSeconds: number
}

type ModelChain = ReturnType<typeof modelChain>

/**
 * Makes the chain of a history, from its beginning to its end: what its best node has as its latest block, and since when (`heads`),
 * and when reorganizations beyond the overlap happened (`deepAt`). The same numbers of the generator make the same chain.
 */
export function modelChain(time: SimulatedTime, start: number, options: ChainOptions) {
  const { standard, seconds, reorganizations, deep, overlap, quietSeconds } = options
  let hashes = 0
  const nextHash = () => {
    hashes += 1
    return `0x${hashes.toString(16).padStart(64, '0').split('').reverse().join('')}`
  }
  const genesis: ModelBlock = {
    ...{ number: 100, hash: nextHash(), at: start - 100_000, events: [] },
    state: firstState(time, standard),
  }
  const heads = [{ since: start - 100_000, block: genesis }]
  const deepAt: number[] = []
  const speed = 1 + time.random() * 3
  const childOf = (parent: ModelBlock, at: number, transfers: readonly Transfer[]): ModelBlock => {
    const { state, events } = applied(parent.state, transfers, standard)
    return { number: parent.number + 1, hash: nextHash(), at, parent, events, state }
  }

  /** Blocks in place of the last ones, with most of their transfers. */
  function reorganize(tip: ModelBlock, span: number, now: number): ModelBlock | undefined {
    const old: ModelBlock[] = []
    let block = tip
    while (block.parent && block.at > now - span * 1_000) {
      old.unshift(block)
      block = block.parent
    }
    if (old.length === 0 || !block.parent) return undefined
    const count = old.length + (time.random() < 0.7 ? 1 : 0)
    for (let index = 0; index < count; index += 1) {
      const replaced = old[index]
      const repeated = replaced?.events.filter(() => time.random() < 0.6) ?? []
      const transfers = repeated.map(({ content }) => content)
      if (time.random() < 0.3) transfers.push(someTransfer(time, block.state, standard))
      block = childOf(block, replaced?.at ?? wholeSeconds(now), transfers)
    }
    return block
  }

  let tip = genesis
  for (let t = 0; t < seconds; ) {
    t += 0.3 + time.random() * speed * 2 + (time.random() < 0.01 ? 10 * time.random() : 0)
    const now = start + t * 1_000
    const isQuiet = t > seconds - quietSeconds
    if (!isQuiet && time.random() < reorganizations) {
      const isDeep = time.random() < deep && t > 90
      const shallow = time.random() * time.random() * (overlap - 3)
      const other = reorganize(tip, isDeep ? overlap + 5 + time.random() * 20 : shallow, now)
      if (other) {
        if (isDeep) deepAt.push(now)
        tip = other
        heads.push({ since: now, block: tip })
        continue
      }
    }
    const transfers: Transfer[] = []
    if (!isQuiet && time.random() < options.busy) {
      let { state } = tip
      for (let count = time.between(1, 3); count > 0; count -= 1) {
        const transfer = someTransfer(time, state, standard)
        transfers.push(transfer)
        state = applied(state, [transfer], standard).state
      }
    }
    tip = childOf(tip, wholeSeconds(now), transfers)
    heads.push({ since: now, block: tip })
  }
  return { heads, deepAt }
}

const wholeSeconds = (milliseconds: number) => Math.floor(milliseconds / 1_000) * 1_000

const tokenIds = Array.from({ length: tokenCount }, (_, index) => tokenIdOf(BigInt(index + 1)))

function firstState(time: SimulatedTime, standard: NftStandard): HeldState {
  const of = (): [Address, bigint][] => {
    if (standard === 'ERC721') return time.isOneOf(4) ? [] : [[time.pick(wallets), 1n]]
    return wallets.flatMap((wallet) => {
      const amount = BigInt(time.between(0, 3))
      return amount > 0n ? [[wallet, amount] as [Address, bigint]] : []
    })
  }
  return new Map(tokenIds.map((tokenId) => [tokenId, new Map(of())]))
}

/** A transfer that the contract permits: a mint, a burn, one to oneself, of a batch, of a range, of nothing. */
function someTransfer(time: SimulatedTime, state: HeldState, standard: NftStandard): Transfer {
  const tokenId = time.pick(tokenIds)
  const to = time.pick([...wallets, null])
  if (standard === 'ERC721') {
    const from = ownerOf(state, tokenId)
    const next = tokenIds[tokenIds.indexOf(tokenId) + 1]
    const isRange = next !== undefined && time.isOneOf(8) && from === ownerOf(state, next)
    return isRange
      ? { kind: 'transfer', from, to, tokens: [], range: { fromTokenId: tokenId, toTokenId: next } }
      : { kind: 'transfer', from, to, tokens: [{ tokenId, amount: '1' }] }
  }
  const others = time.isOneOf(4) ? [time.pick(tokenIds)] : []
  const from = time.pick([...wallets, null])
  const tokens = [tokenId, ...others].map((each) => {
    const held = from === null ? 3 : Number(state.get(each)?.get(from) ?? 0n)
    return {
      tokenId: each,
      amount: `${time.between(0, Math.min(2, others.length > 0 ? Math.floor(held / 2) : held))}`,
    }
  })
  return { kind: 'transfer', from, to, tokens }
}

/** The state after transfers, as the contract keeps it. What it would revert changes nothing and has no event. */
function applied(
  before: HeldState,
  transfers: readonly Transfer[],
  standard: NftStandard,
): { state: HeldState; events: ModelEvent[] } {
  const state = new Map([...before].map(([tokenId, of]) => [tokenId, new Map(of)]))
  const events: ModelEvent[] = []
  for (const wish of transfers) {
    const content = standard === 'ERC721' ? fromOwner(state, wish) : wish
    const moved = content.range
      ? tokenIds
          .slice(
            tokenIds.indexOf(content.range.fromTokenId),
            tokenIds.indexOf(content.range.toTokenId) + 1,
          )
          .map((tokenId) => ({ tokenId, amount: '1' }))
      : content.tokens
    const { from, to } = content
    if ((from === null && to === null) || (from && isShort(state, from, moved))) continue
    for (const { tokenId, amount } of moved) {
      const of = state.get(tokenId) as Map<Address, bigint>
      if (from) change(of, from, -BigInt(amount))
      if (to) change(of, to, BigInt(amount))
    }
    events.push({ index: events.length, standard, content })
  }
  return { state, events }
}

/** Whether a wallet has less than a transfer takes from it. */
const isShort = (state: HeldState, from: Address, moved: Transfer['tokens']): boolean =>
  [...Map.groupBy(moved, ({ tokenId }) => tokenId)].some(([tokenId, parts]) => {
    const total = parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    return (state.get(tokenId)?.get(from) ?? 0n) < total
  })

/** A transfer that is told again on another branch is one by the owner of that branch. */
function fromOwner(state: HeldState, { tokens, range, ...transfer }: Transfer): Transfer {
  const first = range?.fromTokenId ?? tokens[0]?.tokenId
  if (!first) return { ...transfer, tokens }
  const from = ownerOf(state, first)
  const isWhole = range && ownerOf(state, range.toTokenId) === from
  return isWhole
    ? { ...transfer, from, tokens, range }
    : { ...transfer, from, tokens: [{ tokenId: first, amount: '1' }] }
}

/** The latest block that the best node had at a moment. */
export function headAt({ heads }: ModelChain, moment: number): ModelBlock {
  let [low, high] = [0, heads.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((heads[middle]?.since ?? 0) <= moment) low = middle
    else high = middle - 1
  }
  return (heads[low] as ModelChain['heads'][number]).block
}

/** The block of a number on the branch of another block. */
export function blockOf(head: ModelBlock, number: number): ModelBlock | undefined {
  let block: ModelBlock | undefined = head
  while (block && block.number > number) block = block.parent
  return block?.number === number ? block : undefined
}
