import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda'
import { type Chain, chains } from '../../lib/domain/nft/chain.ts'
import { mint } from '../../local/indexer/minting.ts'
import { move } from '../../local/indexer/moving.ts'
import type { Network, World } from '../../local/indexer/world.ts'
import { samples } from '../../local/samples/samples.ts'
import { newAddress, serviceAt } from '../support/services/service.ts'
import { type Deployment, setIndexerKey, settings } from './deployment.ts'
import { addFailingResource } from './left-table.ts'
import { nodeEnvironment, type Place } from './place.ts'
import { runCommand } from './run-command.ts'
import type { Tally } from './tally.ts'
import { type Mover, startWitnesses, type Witnesses } from './witnesses.ts'

type ChangeTemplate = (templateFile: string) => Promise<void>

/** A deployment that changes from a follower for each chain to one for all, and back. */
export interface ChangeOver {
  place: Place
  world: World
  /** Deploys the release before the change, or that after it with the changed template. */
  deployEarlier(name: string, changes: object): Promise<Deployment>
  deployLater(name: string, changes: object, changeTemplate?: ChangeTemplate): Promise<Deployment>
  /** The chain and the function of each log line with a value of the alarm `follower-lag`. */
  followerLines(): Promise<string[]>
  /** Holds the answers of a network to `eth_getLogs`. Resolves with what ends this, when the first of them is held. */
  holdLogs(network: string): Promise<() => void>
}

const followedChains = ['POLYGON', 'BSC'] as const satisfies readonly Chain[]

/**
 * The settings of each deployment. They differ, so that each has an identifier to roll back to, and because the CDK uploads
 * no second template with the hash that a template had before its change.
 */
const earlier = { followedChains }
const later = { followedChains, memoryMegabytes: 512 }
const failing = { followedChains, memoryMegabytes: 640 }

const collections = { POLYGON: samples.collections.lanterns, BSC: samples.collections.vessels }

/** The lease of a follower that was killed, and the time of a few polls, in seconds. */
const secondsToFollow = 90

/**
 * One deploy changes from a follower for each chain to one for all, a roll-back changes back, and meanwhile no position
 * goes back, no movement is missed and no answer is older than 60 s (D89).
 */
export async function checkChangeOver(change: ChangeOver, tally: Tally): Promise<void> {
  const { place, world, deployEarlier, deployLater, holdLogs } = change
  const deployment = await deployEarlier('a follower for each chain', earlier)
  const { stackName } = deployment
  await setIndexerKey(place, deployment)
  const service = serviceAt(deployment.target)
  const apiKey = await service.newProduct()
  const movers = followedChains.map((chain) => newMover(world, chain))
  for (const { chain } of movers) {
    const { address: contractAddress } = collections[chain as keyof typeof collections]
    const body = { chain, contractAddress, contractDescription: 'NFTs that move.', tokens: ['*'] }
    const { status, text } = await service.call('POST /product/tokens', { apiKey, body })
    assert.equal(status, 200, text)
  }
  const witnesses = startWitnesses({
    ...{ place, tableName: deployment.outputs.TableName, service, apiKey, movers },
    settlingSeconds: settings.settlingSeconds,
  })
  const isFollowed = () => expectFollowed(world, movers, witnesses)
  const writesValues = (followerOf: (chain: Chain) => string) =>
    until(async () => {
      const found = await change.followerLines()
      return followedChains.every((chain) =>
        found.includes(`${chain} ${stackName}-${followerOf(chain)}`),
      )
    }, 'a follower has not written a value for each chain')

  await startFollowers(place, stackName)
  await tally.check('D89: A follower for each chain follows its chain', isFollowed)
  await tally.check('D89: An update that is turned back changes no follower', async () => {
    await assert.rejects(deployLater('turned back', failing, addFailingResource(place)))
    await startFollowers(place, stackName)
    await isFollowed()
  })
  await tally.check('D89: One deploy changes over, also in the middle of a step', async () => {
    const release = await holdLogs(chains.POLYGON.network)
    for (const mover of movers) moveNow(world, mover)
    await deployLater('one follower', later)
    release()
    assert.deepEqual(await followersIn(place, stackName), [`${stackName}-follow-chains`])
    await startFollowers(place, stackName)
    await isFollowed()
  })
  await tally.check(
    'D89: A roll-back of the aliases leaves the follower, which follows',
    async () => {
      const rollBack = join(import.meta.dirname, '../../scripts/roll-back.ts')
      await runCommand({
        ...{ name: 'npm run roll-back', file: process.execPath, seconds: 120 },
        args: [rollBack, '--stack', stackName],
        env: nodeEnvironment(place),
      })
      await isFollowed()
    },
  )
  await tally.check('D89: It writes the values of each chain for the alarm', () =>
    // Before the function is removed, which can be earlier than the end of its minute.
    writesValues(() => 'follow-chains'),
  )
  await tally.check('D89: A deploy of the earlier release changes back', async () => {
    for (const mover of movers) moveNow(world, mover)
    await deployEarlier('a follower for each chain again', earlier)
    assert.equal((await followersIn(place, stackName)).length, followedChains.length)
    await startFollowers(place, stackName)
    await isFollowed()
  })
  await tally.check('D89: Those of the earlier release write values for the alarm too', () =>
    writesValues((chain) => `follow-chain-${chain.toLowerCase()}`),
  )
  await tally.check(
    'D89: No position went back, and no answer was wrong or older than 60 s',
    witnesses.end,
  )
}

const networkOf = (chain: Chain) => chains[chain].network as Network

/** A new NFT on a chain, in a new wallet. */
function newMover(world: World, chain: keyof typeof collections): Mover {
  const wallets = [newAddress(), newAddress()] as const
  const [to] = wallets
  const now = Date.now()
  const contractAddress = collections[chain].address
  const { tokenId } = mint({ world, network: networkOf(chain), now }, { contractAddress, to })
  return { chain, tokenId, wallets, owners: [{ wallet: to, since: now }] }
}

function moveNow(world: World, { chain, tokenId, wallets, owners }: Mover): string {
  const from = `${owners.at(-1)?.wallet}`
  const to = wallets[0] === from ? wallets[1] : wallets[0]
  const now = Date.now()
  const contractAddress = collections[chain as keyof typeof collections].address
  move({ world, network: networkOf(chain), now }, { contractAddress, from, to, tokenId })
  owners.push({ wallet: to, since: now })
  return to
}

/** Every chain is read up to a later block than now, and its readers see an NFT that moves then. */
async function expectFollowed(
  world: World,
  movers: readonly Mover[],
  { position, shows }: Witnesses,
): Promise<void> {
  const since = Date.now()
  const isRead = ({ chain }: Mover) => (position(chain).confirmedUpTo ?? 0) > since
  await until(() => movers.every(isRead), 'a chain is not followed')
  const owners = movers.map((mover) => moveNow(world, mover))
  await until(() => owners.every((wallet) => shows(wallet)), 'a movement is not seen')
}

/** The names of the functions that follow chains. */
async function followersIn({ aws }: Place, stackName: string): Promise<string[]> {
  const { Functions = [] } = await new LambdaClient(aws).send(
    new ListFunctionsCommand({ MaxItems: 1_000 }),
  )
  const names = Functions.map(({ FunctionName = '' }) => FunctionName)
  return names.filter((name) => name.startsWith(`${stackName}-follow-chain`))
}

/** Invokes the followers as their schedules do, which would take up to a minute and more. */
async function startFollowers(place: Place, stackName: string): Promise<void> {
  const client = new LambdaClient(place.aws)
  for (const FunctionName of await followersIn(place, stackName)) {
    const chain = FunctionName.slice(`${stackName}-follow-chain-`.length).toUpperCase()
    const Payload = JSON.stringify({ chain })
    const invoke = { FunctionName, Qualifier: 'live', InvocationType: 'Event', Payload } as const
    await client.send(new InvokeCommand(invoke))
  }
}

async function until(holds: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
  const end = Date.now() + secondsToFollow * 1_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, `${otherwise} after ${secondsToFollow} s`)
    await sleep(200)
  }
}
