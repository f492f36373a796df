import { computeUnits } from '../../lib/adapters/alchemy/compute-units.ts'
import { followChains } from '../../lib/domain/following/follow-chain.ts'
import { type Chain, coveredChains } from '../../lib/domain/nft/chain.ts'
import type { KeptContracts } from '../../lib/domain/ports/kept-contracts.ts'
import { prices } from '../../scripts/prices.ts'
import type { FollowedTable } from '../../simulation/followed-table.ts'
import { addressOf, memoryChain } from '../../simulation/memory-chain.ts'
import { simulatedTime } from '../../simulation/simulated-time.ts'
import { tablePorts } from '../../simulation/table-ports.ts'
import { type Budget, fixed } from '../report.ts'
import { beginContract } from '../scenario/keeping.ts'
import { following } from './day.ts'

const followed = coveredChains.slice(0, 10)

/** The followers' bill for ten chains, in US dollars for 30 days. */
export interface ChainsBill {
  /** The chains that are read all the time; nobody has read the others for ten minutes. */
  busy: number
  dollars: number
  /** The same with a function for each chain, which polls every followPollSeconds. */
  dollarsBefore: number
}

const minute = 60_000

/** The hour that is simulated, and how often it is in 30 days. */
const hour = 60 * minute
const hours = 24 * 30

/** Lambda: the price of a GB-second on arm64, and the memory of the follower. */
const dollarsPerGbSecond = 0.0000133334
const gigabytes = 0.25

/** The metrics and the alarm of a function that follows. */
const dollarsOfMonitoring = 1.6

/** The most dollars, as a share of those of a function for each chain, by the number of busy chains. */
const shares: Readonly<Record<number, number>> = { 10: 0.8, 2: 0.5 }

/** The budgets of following ten chains. */
export const chainsBudgets = (bills: readonly ChainsBill[]): Budget[] =>
  bills.map(({ busy, dollars, dollarsBefore }) => {
    const [share, most] = [dollars / dollarsBefore, shares[busy] ?? 1]
    return {
      what: `ten followed chains, ${busy} of them read all the time: dollars`,
      budget: `≤ ${fixed(most, 2)} × a function for each, polled every 5 s`,
      measured: `${fixed(share, 3)}: ${fixed(dollars, 0)} of ${fixed(dollarsBefore, 0)} a month`,
      isMet: share <= most,
    }
  })

/** Ten busy chains, and two. */
export const billsOfChains = async (): Promise<ChainsBill[]> => [
  await billOfChains(10),
  await billOfChains(2),
]

/** Simulates an hour in which some of ten chains are read, after one in which nobody has read the others. */
async function billOfChains(busy: number): Promise<ChainsBill> {
  const now = await bill(followed, new Set(followed.slice(0, busy)))
  const [one] = followed
  const before = await bill([one as Chain], new Set([one as Chain]))
  return { busy, dollars: now, dollarsBefore: before * followed.length }
}

async function bill(chains: readonly Chain[], busy: ReadonlySet<Chain>): Promise<number> {
  const { now, sleep, runUntil } = simulatedTime(1)
  const { followed: table, followNotes, settledDigests } = tablePorts(now)
  const count = { ...nothing }
  const keptContracts = await keptOn(chains, count)
  const ports = {
    chainEvents: counted(memoryChain(now), costsOfEvents, count),
    followNotes: counted(followNotes, costsOfNotes, count),
    keeping: { keptContracts, settledDigests },
    ...{ now, sleep },
  }
  const end = now() + hour + minute
  async function invokeEachMinute(): Promise<void> {
    while (now() < end) {
      noteReads(table, busy, now())
      await Promise.all([invoke({ chains, holder: `${now()}` }, ports, count), sleep(minute)])
      // The first minute has found no position.
      if (now() === end - hour) Object.assign(count, nothing)
    }
  }
  const ended = invokeEachMinute()
  await runUntil(ended)
  await ended
  return dollarsOf(count)
}

/** Notes when the chains were last read, as readers do. */
function noteReads({ readers }: FollowedTable, busy: ReadonlySet<Chain>, now: number): void {
  for (const [chain, shown] of readers) {
    readers.set(chain, { ...shown, askedAt: busy.has(chain) ? now : 0 })
  }
}

/** A contract that is kept on each chain, or is about to be: the follower reads the events of both. */
async function keptOn(chains: readonly Chain[], count: Count): Promise<KeptContracts> {
  const ports = new Map(chains.map((chain) => [chain, tablePorts(() => 0).keptContracts]))
  const on = (chain: Chain) => ports.get(chain) as KeptContracts
  for (const chain of chains) await beginContract({ chain, address: addressOf(0xc1) }, on(chain))
  const each: KeptContracts = {
    ...on(chains[0] as Chain),
    contracts: (chain) => on(chain).contracts(chain),
    write: (chain, contract) => on(chain).write(chain, contract),
  }
  return counted(each, { contracts: read, write }, count)
}

/** One invocation of the follower. Throws if a step fails. */
async function invoke(
  follower: Parameters<typeof followChains>[0],
  ports: Parameters<typeof followChains>[1],
  count: Count,
): Promise<void> {
  const startedAt = ports.now()
  const until = startedAt + minute
  const results = await followChains(follower, ports, following, until, (follow) => follow())
  for (const { report, defect } of results) {
    if (!report || report.failures > 0) throw new Error('following failed', { cause: defect })
  }
  count.invocations += 1
  count.seconds += (ports.now() - startedAt) / 1_000
}

/** What is on the bill of an hour. */
type Count = Record<keyof typeof nothing, number>

const nothing = { computeUnits: 0, readUnits: 0, writeUnits: 0, seconds: 0, invocations: 0 }

function dollarsOf({ computeUnits, readUnits, writeUnits, seconds, invocations }: Count): number {
  const millions =
    computeUnits * prices.computeUnit.perMillion +
    readUnits * prices.readUnit.perMillion +
    writeUnits * prices.writeUnit.perMillion +
    invocations * prices.invocation.perMillion
  return (
    hours * (millions / 1_000_000 + seconds * gigabytes * dollarsPerGbSecond) + dollarsOfMonitoring
  )
}

/** A port whose calls are counted: what is on the bill of a call of each method. */
function counted<Port extends object>(
  port: Port,
  costs: { readonly [Method in keyof Port]?: readonly [on: keyof Count, units: number] },
  count: Count,
): Port {
  const methods = Object.entries(costs).map(([name, cost]) => {
    const [on, units] = cost as readonly [keyof Count, number]
    const method = port[name as keyof Port] as (...args: unknown[]) => unknown
    const counting = (...args: unknown[]) => {
      count[on] += units
      return method(...args)
    }
    return [name, counting]
  })
  return { ...port, ...Object.fromEntries(methods) }
}

const ofBlock = ['computeUnits', computeUnits.eth_getBlockByNumber] as const

const costsOfEvents = {
  ...{ head: ofBlock, block: ofBlock },
  events: ['computeUnits', computeUnits.eth_getLogs],
} as const

const [read, write, twoWrites] = [
  ['readUnits', 1],
  ['writeUnits', 1],
  ['writeUnits', 2],
] as const

/** A read of the position or of the contracts is 1 RRU, a write of the position or of its lease 2 WRU, what readers see of it 1 WRU. */
const costsOfNotes = {
  ...{ lease: twoWrites, release: twoWrites, moveTo: twoWrites },
  ...{ position: read, contracts: read, showReaders: write },
}
