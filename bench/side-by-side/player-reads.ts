import { playerNfts } from '../scenario/operations.ts'
import { type SignedInPlayer, signIn } from '../scenario/players.ts'
import { type SeededProduct, seedNaiveProduct, seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import { median } from '../statistics.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import { type Peer, peers, type Subjects, subjectOf } from '../subjects/bundles.ts'
import { type Contender, inProcesses, type Measured, measureInTurns } from './turns.ts'

/** One row of the comparison. */
export interface Comparison {
  title: string
  calls: number
  measured: Record<Peer, Measured>
}

/** The throughput of both peers with concurrent callers. */
export interface Throughput {
  title: string
  /** Calls a second. */
  measured: Record<Peer, number>
}

/** The wallets by their sizes, the numbers of allowlisted NFTs, and how often each pair is read. */
const rows = [
  { wallet: 10, allowed: 100, turns: 10, callsPerTurn: 10 },
  { wallet: 10, allowed: 10_000, turns: 5, callsPerTurn: 2 },
  { wallet: 10, allowed: 1_000_000, turns: 1, callsPerTurn: 1 },
  { wallet: 1_000, allowed: 100, turns: 3, callsPerTurn: 1 },
  { wallet: 1_000, allowed: 10_000, turns: 3, callsPerTurn: 1 },
  { wallet: 1_000, allowed: 1_000_000, turns: 1, callsPerTurn: 1 },
  { wallet: 10_000, allowed: 10_000, turns: 1, callsPerTurn: 1 },
]

/** The number of concurrent callers, the number of their calls in a turn, and the number of turns. */
const crowd = { size: 50, calls: 100, turns: 3 }
const crowdAllowed = [100, 10_000]

/**
 * Compares the reads of a player's NFTs with those of the naive peer on the same stubs with fixed delays, each in its
 * own process, after a warm-up, in turns. Throws if the numbers of NFTs in the responses differ.
 */
export async function compareReads(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<{ comparisons: Comparison[]; throughputs: Throughput[] }> {
  const players = new Map<number, SignedInPlayer>()
  for (const { wallet } of rows) {
    if (players.has(wallet)) continue
    players.set(wallet, await signIn(subjects, surroundings, [newWallet(surroundings, wallet)]))
  }
  const products = new Map<number, Record<Peer, SeededProduct>>()
  for (const { allowed } of rows) {
    if (products.has(allowed)) continue
    const { table } = surroundings
    const [ours, naive] = [seedProduct(table, allowed), seedNaiveProduct(table, allowed)]
    products.set(allowed, { ours, naive })
  }
  Object.assign(surroundings.delays, fixedDelays)

  const contendersOf = (wallet: number, allowed: number): Record<Peer, Contender> => {
    const contender = (peer: Peer): Contender => {
      const read = (size: number, nfts: number) =>
        playerNfts({ product: products.get(size)?.[peer] as SeededProduct, players }, nfts)
      const operation = read(allowed, wallet)
      const subject = subjectOf(subjects, peer, operation.functionName)
      return { subject, variables: surroundings.variables, operation, warmUp: read(100, 10) }
    }
    return { ours: contender('ours'), naive: contender('naive') }
  }
  const comparisons: Comparison[] = []
  for (const { wallet, allowed, ...turns } of rows) {
    const contenders = contendersOf(wallet, allowed)
    const title = `${contenders.ours.operation.title}, ${allowed.toLocaleString('en')} allowed`
    const measured = await measureInTurns(title, contenders, turns)
    comparisons.push({ title, calls: turns.turns * turns.callsPerTurn, measured })
  }
  const throughputs: Throughput[] = []
  for (const allowed of crowdAllowed) {
    const title = `${crowd.size} calls at once, ${allowed.toLocaleString('en')} allowed`
    throughputs.push({ title, measured: await throughputOf(contendersOf(10, allowed)) })
  }
  return { comparisons, throughputs }
}

async function throughputOf(contenders: Record<Peer, Contender>): Promise<Record<Peer, number>> {
  const rates: Record<Peer, number[]> = { ours: [], naive: [] }
  await inProcesses(contenders, async (processes) => {
    const callsOfAll = async (peer: Peer, calls: number) => {
      const events = Array.from({ length: calls }, contenders[peer].operation.event)
      const { milliseconds } = await processes[peer].run(events, { atOnce: crowd.size })
      return (calls * 1000) / milliseconds
    }
    for (const peer of peers) await callsOfAll(peer, crowd.size)
    for (let turn = 0; turn < crowd.turns; turn += 1) {
      for (const peer of turn % 2 === 0 ? peers : peers.toReversed()) {
        rates[peer].push(await callsOfAll(peer, crowd.calls))
      }
    }
  })
  return { ours: median(rates.ours), naive: median(rates.naive) }
}
