import { followed, kept, remembered } from '../scenario/following.ts'
import { playerNfts, type Scene } from '../scenario/operations.ts'
import { signIn } from '../scenario/players.ts'
import { seedNaiveProduct, seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import { type Contender, type Measured, measureInTurns } from '../side-by-side/turns.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import { type Subjects, subjectOf } from '../subjects/bundles.ts'

/** The ways to read the NFTs of a player with one wallet of 10. */
export const readings = ['remembered', 'kept', 'asked', 'naive'] as const

export type Reading = (typeof readings)[number]

/** The stages of a container: its first 100 calls, in which much of the code is compiled, and those after 500 calls. */
export const stages = ['first', 'warm'] as const

export type Stage = (typeof stages)[number]

/** The times of each way to read, and the number of calls in a turn. */
export interface RememberedReads {
  callsPerTurn: number
  measured: Record<Reading, Measured>
  /** Reads that are remembered beside those of the naive peer. */
  byStage: Record<Stage, Record<'remembered' | 'naive', Measured>>
}

const callsPerTurn = 5

/**
 * Measures in turn, on stubs with fixed delays: a read that is remembered, a read that asks the indexer and keeps its
 * answer, the same read of a deployment that remembers nothing, and the read of the naive peer. Then the first and the
 * last of these in each stage of a container.
 */
export async function measureRememberedReads(
  subjects: Subjects,
  surroundings: Surroundings,
  turns: number,
): Promise<RememberedReads> {
  Object.assign(surroundings.delays, fixedDelays)
  const title = "player's NFTs, wallet of 10, 100 allowed"
  const contenders = await contendersOf(subjects, surroundings)
  const measured = await measureInTurns(title, contenders, { warmUpCalls: 5, turns, callsPerTurn })
  const { remembered, naive } = contenders
  const stage = (warmUpCalls: number) =>
    measureInTurns(title, { remembered, naive }, { warmUpCalls, turns: 20, callsPerTurn })
  return { callsPerTurn, measured, byStage: { first: await stage(0), warm: await stage(500) } }
}

async function contendersOf(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<Record<Reading, Contender>> {
  const { table, variables } = surroundings
  const [wallet, moving] = [newWallet(surroundings, 10), newWallet(surroundings, 10)]
  const product = seedProduct(table, 100)
  const holderOf = async (held: string): Promise<Scene['players']> =>
    new Map([[10, await signIn(subjects, surroundings, [held])]])
  const players = await holderOf(wallet)
  const asked = playerNfts({ product, players }, 10)
  const moved = playerNfts({ product, players: await holderOf(moving) }, 10)
  const subject = subjectOf(subjects, 'ours', asked.functionName)
  const around = followed(surroundings)
  const ours = { subject, variables: around.variables }
  return {
    remembered: { ...ours, operation: remembered(asked, around, product) },
    kept: { ...ours, operation: kept(moved, around, product, moving) },
    asked: { subject, variables, operation: asked },
    naive: {
      subject: subjectOf(subjects, 'naive', asked.functionName),
      variables,
      operation: playerNfts({ product: seedNaiveProduct(table, 100), players }, 10),
    },
  }
}
