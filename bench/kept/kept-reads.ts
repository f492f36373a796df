import { type Budget, fixed, markdownTable } from '../report.ts'
import { keepContracts, keeping, keepWallet, kept, moved } from '../scenario/keeping.ts'
import { playerNfts } from '../scenario/operations.ts'
import { signIn } from '../scenario/players.ts'
import { seedNaiveProduct, seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import { type Contender, type Measured, measureInTurns } from '../side-by-side/turns.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'

/** The ways to read the NFTs of a player with one wallet of 10. */
const readings = ['kept', 'moved', 'asked', 'naive'] as const

type Reading = (typeof readings)[number]

/** The ways whose stages are measured beside the naive peer. */
const staged = ['kept', 'moved'] as const

/** The stages of a container: its first 100 calls, in which much of the code is compiled, and those after 500 calls. */
const stages = ['first', 'warm'] as const

type Stage = (typeof stages)[number]

/** The times of each way to read, and those of each stage. */
interface KeptReads {
  measured: Record<Reading, Measured>
  byStage: Record<Stage, Record<'kept' | 'moved' | 'naive', Measured>>
}

const callsPerTurn = 5

/**
 * Measures in turn, on stubs with fixed delays: a read of kept contracts, the same right after a transfer, a read that asks
 * the indexer, and the read of the naive peer. Then all but the third in each stage of a container.
 */
export async function measureKeptReads(
  subjects: Subjects,
  surroundings: Surroundings,
  turns: number,
): Promise<KeptReads> {
  Object.assign(surroundings.delays, fixedDelays)
  const title = "player's NFTs, wallet of 10, 100 allowed"
  const contenders = await contendersOf(subjects, surroundings)
  const measured = await measureInTurns(title, contenders, { warmUpCalls: 5, turns, callsPerTurn })
  const { asked: _, ...staged } = contenders
  const stage = (warmUpCalls: number) =>
    measureInTurns(title, staged, { warmUpCalls, turns: 20, callsPerTurn })
  return { measured, byStage: { first: await stage(0), warm: await stage(500) } }
}

async function contendersOf(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<Record<Reading, Contender>> {
  const { table, variables } = surroundings
  const wallet = newWallet(surroundings, 10)
  const product = seedProduct(table, 100)
  keepContracts(table, product)
  await keepWallet(surroundings, wallet, 10)
  const player = await signIn(subjects, surroundings, [wallet])
  const asked = playerNfts(product, player)
  const subject = subjectOf(subjects, 'ours', asked.functionName)
  const around = keeping(surroundings)
  const ours = { subject, variables: around.variables }
  return {
    kept: { ...ours, operation: kept(asked, around) },
    moved: { ...ours, operation: moved(asked, around, wallet) },
    asked: { subject, variables, operation: asked },
    naive: {
      subject: subjectOf(subjects, 'naive', asked.functionName),
      variables,
      operation: playerNfts(seedNaiveProduct(table, 100), player),
    },
  }
}

/** The greatest multiples of the naive peer's times, after 500 calls. */
const limits = { p50: 0.12, cpuMilliseconds: 0.5 } as const

type Time = keyof typeof limits

const timeNames: Record<Time, string> = { p50: 'p50', cpuMilliseconds: 'processor time' }

/** What the tables call each way to read. */
const names: Record<Reading, string> = {
  kept: 'kept',
  moved: 'kept, right after a transfer',
  asked: 'asks the indexer',
  naive: 'naive peer',
}

/** The budgets of kept reads, in a warm container. */
export const keptBudgets = ({ byStage: { warm } }: KeptReads): Budget[] =>
  staged.flatMap((reading) =>
    (Object.keys(limits) as Time[]).map((time) => {
      const ratio = warm[reading][time] / warm.naive[time]
      return {
        what: `player's NFTs, wallet of 10, ${names[reading]}, after 500 calls: ${timeNames[time]}`,
        budget: `≤ ${limits[time]} × naive`,
        measured: fixed(ratio, 3),
        isMet: ratio <= limits[time],
      }
    }),
  )

/** What the tables call each stage. */
const stageNames: Record<Stage, string> = { first: 'first 100 calls', warm: 'after 500 calls' }

/** A table of the stages of a container. */
export function stagesTable({ byStage }: KeptReads): string {
  const rows = staged.flatMap((reading) =>
    stages.map((stage) => {
      const { [reading]: ours, naive } = byStage[stage]
      return [
        `${names[reading]}, ${stageNames[stage]}`,
        fixed(ours.p50, 1),
        fixed(naive.p50, 1),
        fixed(ours.p50 / naive.p50, 3),
        fixed(ours.cpuMilliseconds, 1),
        fixed(naive.cpuMilliseconds, 1),
        fixed(ours.cpuMilliseconds / naive.cpuMilliseconds, 3),
      ]
    }),
  )
  const columns = ['p50, ms', 'naive', '× naive', 'CPU, ms', 'naive', '× naive']
  return markdownTable(['read', ...columns], rows)
}

/** A table of all ways to read. */
export function keptTable({ measured }: KeptReads): string {
  const rows = readings.map((reading) => {
    const { milliseconds, p50, p99, cpuMilliseconds, memoryMegabytes } = measured[reading]
    return [
      names[reading],
      String(milliseconds.length),
      fixed(p50, 1),
      fixed(p99),
      fixed(p50 / measured.naive.p50, 3),
      fixed(cpuMilliseconds, 1),
      fixed(memoryMegabytes),
    ]
  })
  const columns = ['calls', 'p50, ms', 'p99, ms', '× naive', 'CPU, ms', 'memory, MB']
  return markdownTable(['read', ...columns], rows)
}
