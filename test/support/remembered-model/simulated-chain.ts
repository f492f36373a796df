import type { Address } from '../../../lib/domain/nft/address.ts'
import type { HashedBlock } from '../../../lib/domain/ports/chain-events.ts'
import type { SimulatedTime } from './simulated-time.ts'

/** What can happen on a chain: an NFT gets another owner, or a contract announces new metadata (ERC-4906). */
type Transaction =
  | { kind: 'move'; token: number; to: Address }
  | { kind: 'metadata'; contract: Address }

/** What holds after a block. */
export interface ChainState {
  /** The owner of each token. */
  owners: readonly Address[]
  /** The number of announcements of each contract. */
  versions: ReadonlyMap<Address, number>
}

/** An event that a block contains. `wallets`: empty for new metadata. */
interface SimulatedEvent {
  contract: Address
  index: number
  wallets: readonly Address[]
}

export interface SimulatedBlock extends HashedBlock {
  parent?: SimulatedBlock
  transactions: readonly Transaction[]
  events: readonly SimulatedEvent[]
  /** When it was made. The time that it states has whole seconds, so that several blocks can state the same one. */
  madeAt: number
  /** When the nodes have it: a little later than it was made. */
  arrivedAt: number
  state: ChainState
}

/** The longest time until the nodes have a block, in milliseconds. */
export const longestArrivalMilliseconds = 1_000

/** A chain whose blocks come by themselves, in a history. */
export interface SimulatedChain {
  /** The contract of each token. */
  contractOf: readonly Address[]
  /** The latest block that the nodes had at a moment that is not in the future. */
  tipAt(moment: number): SimulatedBlock
  /** The first moment from which on the nodes had everything that was made up to a moment in the past. */
  completeAt(moment: number): number
  /** The first of the latest blocks that states a time or a later one; the latest block if none does. */
  firstStating(at: number): SimulatedBlock
  /** Puts a transaction into the next block. */
  submit(transaction: Transaction): void
  /**
   * Replaces the latest blocks by others with the same transactions, in part in other blocks. `loses`: some of the
   * transactions are in none of them; `all`: none is in any of them; `nothing`: each is in the block of the same number.
   */
  reorganise(depth: number, loses: boolean | 'all' | 'nothing'): void
  /** Every state in a period, from the one that held at its beginning. */
  statesIn(from: number, to: number): ChainState[]
  /** The state after the last block that states an earlier time, and every state since. */
  statesSince(at: number): ChainState[]
}

/** Starts a chain. `owners`: who has each token at first. */
export function simulatedChain(
  time: SimulatedTime,
  blockMilliseconds: number,
  contractOf: readonly Address[],
  owners: readonly Address[],
): SimulatedChain {
  const start = time.now() - 600_000
  const genesis = {
    ...{ number: 5_000, hash: '0x5000', at: start, madeAt: start, arrivedAt: start },
    ...{ transactions: [], events: [], state: { owners, versions: new Map() } },
  }
  const tips: SimulatedBlock[] = [genesis]
  /** When each of {@link tips} became the latest block. */
  const since: number[] = [start]
  const pending: Transaction[] = []
  let blockCount = 0
  let next = timesAfter({ madeAt: start, arrivedAt: start })

  function timesAfter(before: Pick<SimulatedBlock, 'madeAt' | 'arrivedAt'>) {
    const madeAt = before.madeAt + blockMilliseconds
    const arrivedAt = madeAt + time.between(0, longestArrivalMilliseconds)
    return { madeAt, arrivedAt: Math.max(before.arrivedAt, arrivedAt) }
  }

  const block = (
    parent: SimulatedBlock,
    { madeAt, arrivedAt }: Pick<SimulatedBlock, 'madeAt' | 'arrivedAt'>,
    transactions: readonly Transaction[],
  ): SimulatedBlock => {
    blockCount += 1
    const number = parent.number + 1
    const { state, events } = applied(parent.state, transactions, contractOf)
    const hash = `0x${number.toString(16)}${blockCount.toString(16).padStart(6, '0')}`
    const at = Math.floor(madeAt / 1_000) * 1_000
    return { number, hash, at, madeAt, arrivedAt, parent, transactions, events, state }
  }

  const latest = () => tips.at(-1) as SimulatedBlock

  function add(tip: SimulatedBlock, moment: number): void {
    tips.push(tip)
    since.push(moment)
  }

  function advance(): void {
    while (next.arrivedAt <= time.now()) {
      add(block(latest(), next, pending.splice(0)), next.arrivedAt)
      next = timesAfter(next)
    }
  }

  /** The place in {@link tips} of what was the latest block at a moment. */
  function placeAt(moment: number): number {
    let [low, high] = [0, since.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((since[middle] as number) <= moment) low = middle
      else high = middle - 1
    }
    return low
  }

  return {
    contractOf,
    tipAt(moment) {
      advance()
      return tips[placeAt(moment)] as SimulatedBlock
    },
    completeAt(moment) {
      advance()
      let place = placeAt(moment)
      const isComplete = (tip: SimulatedBlock) => tip.madeAt + blockMilliseconds > moment
      while (tips[place + 1] && !isComplete(tips[place] as SimulatedBlock)) place += 1
      return Math.max(moment, since[place] as number)
    },
    firstStating(at) {
      advance()
      return tips.slice(placeAt(at)).find((tip) => tip.at >= at) ?? latest()
    },
    submit(transaction) {
      advance()
      pending.push(transaction)
    },
    reorganise(depth, loses) {
      advance()
      const replaced = lastBlocks(latest(), depth)
      const kept = replaced
        .flatMap(({ transactions }) => transactions)
        .filter(() => loses !== 'all' && (loses !== true || time.isOneOf(2)))
      let tip = (replaced[0] as SimulatedBlock).parent as SimulatedBlock
      for (const { madeAt, transactions: replacedOnes } of replaced) {
        const isLast = madeAt === replaced.at(-1)?.madeAt
        const count = loses === 'nothing' ? replacedOnes.length : time.between(0, 2)
        const transactions = kept.splice(0, isLast ? kept.length : count)
        tip = block(tip, { madeAt, arrivedAt: time.now() }, transactions)
      }
      add(tip, time.now())
    },
    statesIn(from, to) {
      advance()
      return tips.slice(placeAt(from), placeAt(to) + 1).map(({ state }) => state)
    },
    statesSince(at) {
      advance()
      return tips.slice(tips.findLastIndex((tip) => tip.at < at)).map(({ state }) => state)
    },
  }
}

/** The latest blocks of a branch, the earliest first. */
export function lastBlocks(tip: SimulatedBlock, count: number): SimulatedBlock[] {
  const blocks: SimulatedBlock[] = []
  let block: SimulatedBlock | undefined = tip
  for (; blocks.length < count && block?.parent; block = block.parent) blocks.push(block)
  return blocks.reverse()
}

/** The block of a number on a branch. */
export function blockOf(tip: SimulatedBlock, number: number): SimulatedBlock | undefined {
  let block: SimulatedBlock | undefined = tip
  while (block && block.number > number) block = block.parent
  return block?.number === number ? block : undefined
}

function applied(
  before: ChainState,
  transactions: readonly Transaction[],
  contractOf: readonly Address[],
): { state: ChainState; events: SimulatedEvent[] } {
  if (transactions.length === 0) return { state: before, events: [] }
  const owners = [...before.owners]
  const versions = new Map(before.versions)
  const events: SimulatedEvent[] = []
  for (const transaction of transactions) {
    const index = events.length
    if (transaction.kind === 'metadata') {
      const { contract } = transaction
      versions.set(contract, (versions.get(contract) ?? 0) + 1)
      events.push({ contract, index, wallets: [] })
    } else {
      const { token, to } = transaction
      const from = owners[token] as Address
      owners[token] = to
      const wallets = [...new Set([from, to])]
      events.push({ contract: contractOf[token] as Address, index, wallets })
    }
  }
  return { state: { owners, versions }, events }
}
