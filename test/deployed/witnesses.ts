import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { followKey } from '../../lib/adapters/dynamodb/keys/follow-partition.ts'
import type { Chain } from '../../lib/domain/nft/chain.ts'
import { maxFollowerLagSeconds } from '../../lib/domain/reading/freshness.ts'
import type { Service } from '../support/services/service.ts'
import type { Place } from './place.ts'

/** An NFT that moves between wallets, and when each wallet has got it. */
export interface Mover {
  chain: Chain
  tokenId: string
  wallets: readonly [string, string]
  /** The latest last. */
  owners: { wallet: string; since: number }[]
}

/** The part of a position that must never go back. */
interface Position {
  head?: { at: number }
  confirmedUpTo?: number
  step?: number
  holder?: string
}

/** What watches a deployment while it is updated. */
export interface Witnesses {
  /** The latest position of a chain, and the latest answer about a wallet: whether it has the NFT, and of which moment. */
  position(chain: Chain): Position
  shows(wallet: string): boolean | undefined
  /** Ends the watch. Rejects with what was wrong, if anything was. */
  end(): Promise<void>
}

interface Watched {
  place: Place
  tableName: string
  service: Service
  apiKey: string
  movers: readonly Mover[]
  settlingSeconds: number
}

/** Watches the positions of chains, and the answers about the wallets, until the end. */
export function startWitnesses(watched: Watched): Witnesses {
  const { place, tableName, movers } = watched
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(place.aws))
  const positions = new Map<Chain, Position>()
  const shown = new Map<string, boolean>()
  const faults: string[] = []
  let isEnding = false

  async function watchPosition(chain: Chain): Promise<void> {
    const get = { TableName: tableName, Key: followKey(chain), ConsistentRead: true }
    const { Item: next = {} } = await client.send(new GetCommand(get))
    faults.push(...goneBack(chain, positions.get(chain) ?? {}, next))
    positions.set(chain, next)
  }

  async function read(mover: Mover, wallet: string, playerToken: string): Promise<void> {
    const { call } = watched.service
    const sentAt = Date.now()
    const query = { chains: mover.chain }
    const answer = await call('GET /player/tokens/raw', {
      ...{ apiKey: watched.apiKey, playerToken, query },
    })
    // A function that is updated can be away for a moment.
    if (answer.status !== 200) return
    const tokenIds = answer.json.data.map(({ tokenId }: { tokenId: string }) => tokenId)
    const isShown = tokenIds.includes(mover.tokenId)
    shown.set(wallet, isShown)
    const asOf = Date.parse(answer.json.asOf)
    const said = `${mover.chain}: ${wallet} ${isShown ? 'has' : 'has not'} ${mover.tokenId} as of ${answer.json.asOf}`
    if (sentAt - asOf > maxFollowerLagSeconds * 1_000) faults.push(`${said}, at ${sentAt}`)
    const between = { from: asOf - watched.settlingSeconds * 1_000, to: Date.now() }
    if (!truths(mover, wallet, between).has(isShown)) faults.push(`${said}, which never was`)
  }

  const repeat = async (watch: () => Promise<void>, milliseconds: number) => {
    while (!isEnding) {
      await watch().catch((error: Error) => faults.push(error.message))
      await sleep(milliseconds)
    }
  }
  const readers = movers.flatMap((mover) =>
    mover.wallets.map(async (wallet) => {
      const { playerToken } = await watched.service.newPlayer([wallet])
      await repeat(() => read(mover, wallet, playerToken), 500)
    }),
  )
  const watchers = movers.map(({ chain }) => repeat(() => watchPosition(chain), 200))
  return {
    position: (chain) => positions.get(chain) ?? {},
    shows: (wallet) => shown.get(wallet),
    async end() {
      isEnding = true
      await Promise.all([...readers, ...watchers])
      client.destroy()
      assert.deepEqual(faults, [])
    },
  }
}

function goneBack(chain: Chain, before: Position, next: Position): string[] {
  const pairs = [
    ['head', before.head?.at, next.head?.at],
    ['confirmedUpTo', before.confirmedUpTo, next.confirmedUpTo],
    ['step', before.step, next.step],
  ] as const
  return pairs.flatMap(([name, from = 0, to = 0]) =>
    to < from ? [`${chain}: ${name} went back from ${from} to ${to}`] : [],
  )
}

/** Whether a wallet had the NFT, for each moment of a time. */
function truths(
  { owners }: Mover,
  wallet: string,
  { from, to }: { from: number; to: number },
): Set<boolean> {
  const during = owners.filter(
    ({ since }, index) =>
      since <= to && (owners[index + 1]?.since ?? Number.POSITIVE_INFINITY) > from,
  )
  return new Set(during.map((owner) => owner.wallet === wallet))
}
