import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IndexerServer } from '../../local/indexer/indexer-server.ts'
import { mint } from '../../local/indexer/minting.ts'
import { move } from '../../local/indexer/moving.ts'
import type { World } from '../../local/indexer/world.ts'
import { samples } from '../../local/samples/samples.ts'
import type { Received } from '../support/requests/client.ts'
import { newAddress, type Player, type Service } from '../support/services/service.ts'
import type { Tally } from './tally.ts'

const { address, chain } = samples.collections.lanterns
const network = 'polygon-mainnet'

/**
 * The longest time until the follower has read its chain: its schedule starts it a minute after the deployment, and the
 * emulator looks at its schedules every 10 s.
 */
const secondsToFollow = 120

/** The longest time until a movement is noted: a block, the time between two invocations on the emulator, and a poll. */
const secondsToNote = 60

/**
 * The schedule of the deployment runs the follower of a chain: answers are remembered, and a reader sees an NFT that
 * moves although no read asks anew.
 */
export async function checkFollowing(
  service: Service,
  { world, indexer }: { world: World; indexer: Pick<IndexerServer, 'requests'> },
  tally: Tally,
): Promise<void> {
  const apiKey = await service.newProduct()
  await allowlistAll(service, apiKey)
  const [from, to] = [newAddress(), newAddress()]
  const [seller, buyer] = [await service.newPlayer([from]), await service.newPlayer([to])]
  const { tokenId } = mint(
    { world, network, now: Date.now() },
    { contractAddress: address, to: from },
  )
  const read = async ({ playerToken }: Player) => {
    const answer = await service.call('GET /player/tokens/raw', { apiKey, playerToken })
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const indexerCalls = () => indexer.requests.get('getNFTsForOwner') ?? 0

  const isRemembered = async () => {
    const before = indexerCalls()
    await read(seller)
    await read(buyer)
    return indexerCalls() === before
  }
  await tally.check('D66: The schedule runs the follower, and answers are remembered', async () => {
    await until(isRemembered, secondsToFollow)
    assert.deepEqual(
      [tokenIdsIn(await read(seller)), tokenIdsIn(await read(buyer))],
      [[tokenId], []],
    )
  })
  await tally.check('D66: An NFT that moves is seen without a read anew', async () => {
    move({ world, network, now: Date.now() }, { contractAddress: address, from, to, tokenId })
    await until(async () => tokenIdsIn(await read(buyer)).includes(tokenId), secondsToNote)
    assert.deepEqual(tokenIdsIn(await read(seller)), [])
  })
}

async function allowlistAll({ call }: Service, apiKey: string): Promise<void> {
  const body = {
    ...{ chain, contractAddress: address, tokens: ['*'] },
    contractDescription: 'The lanterns of Brindlewake.',
  }
  const { status, text } = await call('POST /product/tokens', { apiKey, body })
  assert.equal(status, 200, text)
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
