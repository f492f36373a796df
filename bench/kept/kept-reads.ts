import { keepContracts, keeping, keepWallet, kept, moved } from '../scenario/keeping.ts'
import { playerNfts, type Scene } from '../scenario/operations.ts'
import { signIn } from '../scenario/players.ts'
import { seedNaiveProduct, seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import { type Contender, type Measured, measureInTurns } from '../side-by-side/turns.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'

/** The ways to read the NFTs of a player with one wallet of 10. */
export const readings = ['kept', 'moved', 'asked', 'naive'] as const

export type Reading = (typeof readings)[number]

/** The ways whose stages are measured beside the naive peer. */
export const staged = ['kept', 'moved'] as const

/** The stages of a container: its first 100 calls, in which much of the code is compiled, and those after 500 calls. */
export const stages = ['first', 'warm'] as const

export type Stage = (typeof stages)[number]

/** The times of each way to read, and those of each stage. */
export interface KeptReads {
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
  const players: Scene['players'] = new Map([[10, await signIn(subjects, surroundings, [wallet])]])
  const asked = playerNfts({ product, players }, 10)
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
      operation: playerNfts({ product: seedNaiveProduct(table, 100), players }, 10),
    },
  }
}
