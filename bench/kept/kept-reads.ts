import { atMost, type Budget, fixed } from '../report.ts'
import { keepContract, keeping, keepWallet, kept, moved } from '../scenario/keeping.ts'
import { playerNfts } from '../scenario/operations.ts'
import { newWallet, signIn } from '../scenario/players.ts'
import { seedNaiveProduct, seedProduct } from '../scenario/products.ts'
import { measureInTurns } from '../side-by-side/turns.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'

/** The greatest multiples of the naive peer's times, by what the table calls them. */
const limits = [
  { time: 'p50', name: 'p50', limit: 0.12 },
  { time: 'cpuMilliseconds', name: 'processor time', limit: 0.5 },
] as const

/** The ways of this service to read, by what the table calls them. */
const names = { kept: 'kept', moved: 'kept, right after a transfer' } as const

/**
 * The budgets of reads of the NFTs of a player with one wallet of 10, in containers that have answered 500 calls: a read of kept
 * contracts, and the same right after a transfer, measured in turn with the naive peer on stubs with fixed delays.
 */
export async function measureKeptReads(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<Budget[]> {
  Object.assign(surroundings.delays, fixedDelays)
  const title = "player's NFTs, wallet of 10"
  const contenders = await contendersOf(subjects, surroundings)
  const turns = { warmUpCalls: 500, turns: 20, callsPerTurn: 5 }
  const { naive, ...ours } = await measureInTurns(title, contenders, turns)
  return (['kept', 'moved'] as const).flatMap((reading) =>
    limits.map(({ time, name, limit }) => {
      const ratio = ours[reading][time] / naive[time]
      const what = `${title}, ${names[reading]}, after 500 calls: ${name}`
      const measured = `${fixed(ratio, 3)}: ${fixed(ours[reading][time], 1)} ms`
      return atMost(what, ratio, [limit, '× naive'], measured)
    }),
  )
}

async function contendersOf(subjects: Subjects, surroundings: Surroundings) {
  const { table, variables } = surroundings
  const wallet = newWallet(surroundings, 10)
  const product = seedProduct(table, 100)
  keepContract(table)
  await keepWallet(surroundings, wallet, 10)
  const player = await signIn(subjects, surroundings, [wallet])
  const read = playerNfts(product, player)
  const around = keeping(surroundings)
  const subject = subjectOf(subjects, 'ours', read.functionName)
  const ours = { subject, variables: around.variables }
  return {
    kept: { ...ours, operation: kept(read, around) },
    moved: { ...ours, operation: moved(read, around, wallet) },
    naive: {
      subject: subjectOf(subjects, 'naive', read.functionName),
      variables,
      operation: playerNfts(seedNaiveProduct(table, 100), player),
    },
  }
}
