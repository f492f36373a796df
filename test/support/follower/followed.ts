import { tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import { type FollowReport, followChain } from '../../../lib/domain/following/follow-chain.ts'
import type { FollowPorts, FollowSettings } from '../../../lib/domain/following/take-step.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { LogEntry } from '../../../lib/domain/nft-events/nft-event.ts'
import { contractAt, type Turn } from '../../../simulation/followed-table.ts'
import { addressOf, memoryChain } from '../../../simulation/memory-chain.ts'
import { tablePorts } from '../../../simulation/table-ports.ts'

export const [contract, other] = [addressOf(0xc1), addressOf(0xc2)]
export const [alice, bob] = [addressOf(0xa), addressOf(0xb)]

export const settings = { followPollSeconds: 5, followLogsPerMinute: 600, settlingSeconds: 30 }

/** A chain, the notes of its followers, and a clock that only waiting moves. `turn`: called before each write of a follower. */
export function followedChain(turn?: Turn) {
  let time = 1_700_000_000_000
  const now = () => time
  const chain = memoryChain(now)
  const { followed: table, kept, followNotes: notes, ...keeping } = tablePorts(now, turn)
  const sleep = async (milliseconds: number) => {
    time += milliseconds
  }
  /** What followers have noted. */
  const noted = {
    position: () => table.positions.get('POLYGON'),
    contract: (address: Address) => table.contracts.get(contractAt('POLYGON', address)),
  }
  /** Asks for the events of a contract to be logged, and for webhooks to be told of them. */
  const watch = (address: Address, milliseconds = 86_400_000, { isPushed = false } = {}) => {
    const watchedUntil = now() + milliseconds
    const lease = { watchedUntil, ...(isPushed && { pushedUntil: watchedUntil }) }
    const item = { ...noted.contract(address), address, ...lease }
    table.contracts.set(contractAt('POLYGON', address), item)
  }
  /** The entries of the log of a contract, in order. */
  const logged = (address: Address): LogEntry[] => {
    const log = table.logs.get(contractAt('POLYGON', address)) ?? new Map()
    return [...log].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
  }
  let holders = 0
  const ports = { chainEvents: chain, followNotes: notes, now, sleep }

  /** Follows the chain for some seconds; `use` replaces the ports, and `set` the settings. */
  async function follow(
    seconds: number,
    use: Partial<FollowPorts> = {},
    set: Partial<FollowSettings> = {},
  ): Promise<FollowReport> {
    holders += 1
    const follower = { chain: 'POLYGON' as const, holder: `follower ${holders}` }
    return followChain(
      follower,
      { ...ports, ...use },
      { ...settings, ...set },
      time + seconds * 1_000,
    )
  }

  /** The events in blocks that are logged of their contracts, but that the logs neither have nor tell as missed. */
  function holes(): string[] {
    const upTo = noted.position()?.log?.loggedUpTo.number ?? 0
    const ofLogged = chain.logs.filter((log) => noted.contract(log.contract)?.isLogged)
    return ofLogged.flatMap(({ contract: address, block: { number, hash }, index }) => {
      const entries = logged(address)
      const isTold = entries.some(({ block, logIndex, content }) =>
        content.kind === 'missed'
          ? number >= (content.fromBlock ?? 0) && number <= content.toBlock
          : block.hash === hash && logIndex === index,
      )
      return number > upTo || isTold ? [] : [`${address} in block ${number}`]
    })
  }
  return { chain, table, kept, notes, keeping, noted, watch, logged, now, sleep, follow, holes }
}

/** A chain that was followed for a minute, with a contract whose events are logged. */
export async function followedForAMinute() {
  const followed = followedChain()
  followed.watch(contract)
  await followed.follow(60)
  return followed
}

/** A chain with a watched contract that is followed long enough for its log to have begun. */
export async function watchedForTwoMinutes() {
  const followed = followedChain()
  const { chain, watch, follow, logged, noted } = followed
  watch(contract)
  await follow(120)
  const emit = (address: Address, count?: number, tokens?: number) =>
    emitTransfers(chain, address, { count, tokens })
  /** What is logged of the contract but for what was before it was watched. */
  const entries = (address = contract) => logged(address).slice(1)
  const loggedUpTo = () => noted.position()?.log?.loggedUpTo.number ?? 0
  return { ...followed, emit, entries, loggedUpTo }
}

/** Adds transfers of some tokens each to the next block. */
export function emitTransfers(
  chain: Pick<ReturnType<typeof followedChain>['chain'], 'emit'>,
  address: Address,
  { count = 1, tokens = 1 }: { count?: number | undefined; tokens?: number | undefined } = {},
): void {
  const content = {
    ...({ kind: 'transfer', from: alice, to: bob } as const),
    tokens: Array.from({ length: tokens }, (_, index) => ({
      tokenId: tokenIdOf(BigInt(index)),
      amount: '1',
    })),
  }
  for (let index = 0; index < count; index += 1) {
    chain.emit({ contract: address, details: { transactionHash: '0x7', content } })
  }
}

/** The block of the latest event. */
export const lastBlock = (chain: { logs: { block: { number: number } }[] }) =>
  chain.logs.at(-1)?.block.number ?? 0

/** Runs `before` ahead of each call of a port, with its name and its arguments. */
export function beforeEachCall<Port extends object>(
  port: Port,
  before: (call: string, ...args: unknown[]) => Promise<void>,
): Port {
  return new Proxy(port, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        await before(String(name), ...args)
        return member.apply(target, args)
      }
    },
  })
}
