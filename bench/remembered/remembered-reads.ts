import { followed, kept, remembered } from '../scenario/following.ts'
import { playerNfts, type Scene } from '../scenario/operations.ts'
import { subjectOf } from '../scenario/peers.ts'
import { signIn } from '../scenario/players.ts'
import { seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import { type Contender, type Measured, measureInTurns } from '../side-by-side/turns.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'

/** The ways to read the NFTs of a player with one wallet of 10. */
export const readings = ['remembered', 'kept', 'asked', 'naive'] as const

export type Reading = (typeof readings)[number]

/** The times of each way to read, and the number of calls in a turn. */
export interface RememberedReads {
  callsPerTurn: number
  measured: Record<Reading, Measured>
}

const callsPerTurn = 5

/**
 * Measures in turn, on stubs with fixed delays: a read that is remembered, a read that asks the indexer and keeps its
 * answer, the same read of a deployment that remembers nothing, and the read of the naive peer.
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
  return { callsPerTurn, measured }
}

async function contendersOf(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<Record<Reading, Contender>> {
  const { table, variables } = surroundings
  const [wallet, moving] = [newWallet(surroundings, 10), newWallet(surroundings, 10)]
  const product = seedProduct('ours', table, 100)
  const sceneOf = async (held: string): Promise<Scene> => {
    const player = await signIn('ours', subjects, surroundings, [held])
    return { product, players: new Map([[10, player]]) }
  }
  const naiveScene: Scene = {
    product: seedProduct('naive', table, 100),
    players: new Map([[10, await signIn('naive', subjects, surroundings, [wallet])]]),
  }
  const asked = playerNfts(await sceneOf(wallet), 10)
  const moved = playerNfts(await sceneOf(moving), 10)
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
      operation: playerNfts(naiveScene, 10),
    },
  }
}
