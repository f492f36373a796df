import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IndexerServer } from '@player-nfts/local/indexer/indexer-server'
import { mint } from '@player-nfts/local/indexer/minting'
import { move } from '@player-nfts/local/indexer/moving'
import type { World } from '@player-nfts/local/indexer/world'
import { samples } from '@player-nfts/local/samples'
import type { Received } from '../support/requests/client.ts'
import { newAddress, type Player, type Service } from '../support/services/service.ts'
import { succeed } from './survival.ts'
import type { Tally } from './tally.ts'

const { address, chain } = samples.collections.lanterns
const network = 'polygon-mainnet'

/** The longest time until a movement is read: a block, the time between two invocations on the emulator, and a poll. */
const secondsToRead = 60

/** An NFT on a followed chain that moves between two wallets. */
export interface Traveller {
  contractAddress: string
  tokenId: string
  wallets: readonly [string, string]
  /** The longest time until its contract is kept after the first read. */
  secondsToKeep: number
  /** Waits for the next movement, or makes it. */
  nextMovement(): Promise<{ from: string; to: string }>
  /** Whether the service asks the indexer during `read`, which makes this number of reads for the product. */
  isIndexerAsked(
    read: () => Promise<unknown>,
    made: { reads: number; productId: string },
  ): Promise<boolean>
}

/** A new lantern in a new wallet of the sample world, which moves to another wallet when it is asked to. */
export function travellerIn(
  world: World,
  { requests }: Pick<IndexerServer, 'requests'>,
): Traveller {
  const [from, to] = [newAddress(), newAddress()]
  const lantern = { contractAddress: address, to: from }
  const { tokenId } = mint({ world, network, now: Date.now() }, lantern)
  return {
    contractAddress: address,
    tokenId,
    wallets: [from, to],
    // Its schedule starts the follower a minute after the deployment, and the worker waits for polls and settled blocks.
    secondsToKeep: 300,
    async nextMovement() {
      const transaction = { world, network, now: Date.now() } as const
      move(transaction, { contractAddress: address, from, to, tokenId })
      return { from, to }
    },
    async isIndexerAsked(read) {
      const calls = () => requests.get('getNFTsForOwner') ?? 0
      const before = calls()
      await read()
      return calls() > before
    },
  }
}

/** The schedule runs the follower, which wakes the worker: holders are kept, and a reader sees an NFT that moves. */
export async function checkFollowing(
  service: Service,
  { contractAddress, tokenId, wallets, secondsToKeep, nextMovement, isIndexerAsked }: Traveller,
  tally: Tally,
): Promise<void> {
  const apiKey = await service.newProduct()
  const { productId } = (await service.call('GET /product', { apiKey })).json.data
  const body = {
    ...{ chain, contractAddress, tokens: ['*'] },
    contractDescription: 'The lanterns of Brindlewake.',
  }
  await succeed(service, 'POST /product/tokens', { apiKey, body })
  const players = new Map<string, Player>()
  for (const wallet of wallets) players.set(wallet, await service.newPlayer([wallet]))
  const read = async (wallet: string) => {
    const playerToken = players.get(wallet)?.playerToken ?? ''
    return await succeed(service, 'GET /player/tokens/raw', { apiKey, playerToken })
  }
  const isSeenBy = async (wallet: string) => tokenIdsIn(await read(wallet)).includes(tokenId)

  await tally.check('D152: The schedule runs the follower, and holdings are kept', async () => {
    await until(async () => {
      const answers: Received[] = []
      const readBoth = async () => {
        for (const wallet of wallets) answers.push(await read(wallet))
      }
      const isAsked = await isIndexerAsked(readBoth, { reads: wallets.length, productId })
      // The NFT can move between the two reads.
      return !isAsked && answers.flatMap(tokenIdsIn).join() === tokenId
    }, secondsToKeep)
  })
  await tally.check('D152: An NFT that moves is seen within a minute', async () => {
    const { from, to } = await nextMovement()
    await until(() => isSeenBy(to), secondsToRead)
    assert.equal(await isSeenBy(from), false)
  })
}

const tokenIdsIn = ({ json }: Received): string[] =>
  json.data.map(({ tokenId }: { tokenId: string }) => tokenId)

/** Asks once a second until a condition holds. Rejects after some seconds. */
async function until(holds: () => Promise<boolean>, seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, `not within ${seconds} s`)
    await sleep(1_000)
  }
}
