import { type Operation, operationsOf, playerNfts, type Scene } from '../scenario/operations.ts'
import { type Peer, peers } from '../scenario/peers.ts'
import { type SignedInPlayer, signIn } from '../scenario/players.ts'
import { seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'

/** One row of the comparison: an operation of both peers. */
export interface Row {
  title: string
  operations: Record<Peer, Operation>
  /** The operations that warm up the processes (default: the operations themselves). */
  warmUps?: Record<Peer, Operation>
  /** The number of warm-up calls (default 1). */
  warmUpCalls?: number
  /** The number of turns. */
  turns: number
  callsPerTurn: number
}

/** A comparison of concurrent calls. */
export interface Crowd {
  title: string
  operations: Record<Peer, Operation>
}

/** The number of concurrent callers, the number of their calls in a turn, and the number of turns. */
export const crowdSize = 50
export const crowdCalls = 100
export const crowdTurns = 3

type Scenes = Record<Peer, Scene>

/** Prepares the data, and returns the comparisons to make with it. */
export async function comparisons(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<{ rows: Row[]; crowds: Crowd[] }> {
  const players = await signInPlayers(subjects, surroundings)
  const scenes = (size: number): Scenes => ({
    ours: { product: seedProduct('ours', surroundings.table, size), players: players.ours },
    naive: { product: seedProduct('naive', surroundings.table, size), players: players.naive },
  })
  const ten = scenes(10)
  const hundred = scenes(100)
  const tenThousand = scenes(10_000)
  const million = scenes(1_000_000)
  const crowd = (allowed: string, on: Scenes): Crowd => ({
    title: `${crowdSize} calls at once, ${allowed} allowed`,
    operations: onBoth(on, (scene) => playerNfts(scene, 10)),
  })
  return {
    rows: [
      ...smallRows(hundred),
      ...allowlistRows(hundred, tenThousand),
      row('refresh', ten, { turns: 3, title: 'refresh metadata of 10 NFTs' }),
      ...playerRows(hundred, tenThousand, million),
    ],
    crowds: [crowd('100', hundred), crowd('10,000', tenThousand)],
  }
}

const onBoth = (scenes: Scenes, make: (scene: Scene) => Operation): Record<Peer, Operation> => ({
  ours: make(scenes.ours),
  naive: make(scenes.naive),
})

type OperationId = keyof ReturnType<typeof operationsOf>

function row(
  id: OperationId,
  on: Scenes,
  { title, turns, calls = 1, warmUpCalls = 1 }: RowOptions,
): Row {
  const operations = onBoth(on, (scene) => operationsOf(scene)[id])
  return {
    title: title ?? operations.ours.title,
    operations,
    warmUpCalls,
    turns,
    callsPerTurn: calls,
  }
}

interface RowOptions {
  title?: string
  turns: number
  calls?: number
  warmUpCalls?: number
}

const smallRows = (hundred: Scenes): Row[] => [
  row('register', hundred, { turns: 10, calls: 10 }),
  row('get', hundred, { turns: 10, calls: 10 }),
  row('mint', hundred, { turns: 10, calls: 10 }),
  row('details', hundred, { turns: 10, calls: 10 }),
  row('publicKey', hundred, { turns: 10, calls: 10 }),
]

const allowlistRows = (hundred: Scenes, tenThousand: Scenes): Row[] => [
  row('list', hundred, { turns: 10, calls: 10, title: 'get allowed NFTs, 100' }),
  row('list', tenThousand, { turns: 5, calls: 2, title: 'get allowed NFTs, 10,000' }),
  row('allowlist', hundred, { turns: 21, warmUpCalls: 5 }),
  row('unbindNfts', hundred, { turns: 8 }),
  row('unbindContract', hundred, { turns: 8, title: 'unbind contract, 100 allowed' }),
  row('unbindContract', tenThousand, { turns: 2, title: 'unbind contract, 10,000 allowed' }),
]

function playerRows(hundred: Scenes, tenThousand: Scenes, million: Scenes): Row[] {
  const warmUps = onBoth(hundred, (scene) => playerNfts(scene, 10))
  const read = (allowed: string, on: Scenes, wallet: number, turns: number, calls = 1): Row => {
    const operations = onBoth(on, (scene) => playerNfts(scene, wallet))
    const title = `${operations.ours.title}, ${allowed} allowed`
    return { title, operations, warmUps, turns, callsPerTurn: calls }
  }
  const structured = row('structured', hundred, { turns: 5, calls: 3 })
  return [
    { ...structured, title: `${structured.title}, 100 allowed` },
    read('100', hundred, 10, 10, 10),
    read('10,000', tenThousand, 10, 5, 2),
    read('1,000,000', million, 10, 1),
    read('100', hundred, 1_000, 3),
    read('10,000', tenThousand, 1_000, 3),
    read('1,000,000', million, 1_000, 1),
    read('10,000', tenThousand, 10_000, 1),
  ]
}

async function signInPlayers(subjects: Subjects, surroundings: Surroundings) {
  const wallets = [10, 1_000, 10_000].map((nfts) => ({
    nfts,
    wallet: newWallet(surroundings, nfts),
  }))
  const players: Record<Peer, Map<number, SignedInPlayer>> = { ours: new Map(), naive: new Map() }
  for (const peer of peers) {
    for (const { nfts, wallet } of wallets) {
      players[peer].set(nfts, await signIn(peer, subjects, surroundings, [wallet]))
    }
  }
  return players
}
