import { randomBytes } from 'node:crypto'
import { followedContractKey } from '../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { subscriberKey } from '../../lib/adapters/dynamodb/keys/webhook-subscriptions.ts'
import { branded } from '../../lib/domain/branded.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import { transfer } from '../../local/indexer/chain/movements.ts'
import { type Budget, fixed, ratioText } from '../report.ts'
import { noteFollowing } from '../scenario/following.ts'
import type { Operation } from '../scenario/operations.ts'
import { chain, collection, itemKey, seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import { type Measured, measureInTurns } from '../side-by-side/turns.ts'
import { spreadOf } from '../statistics.ts'
import { callsOf } from '../stubs/call-counter.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'

const maxOfUntold = 1.1

const products = 10

/** The default time between two polls, in milliseconds, and the most events of a contract in this time. */
const pollMilliseconds = 5_000
const eventsPerPoll = 50

/** The polls before the log is as long as it stays: those of the overlap, and some more. */
const firstPolls = 20
const measuredPolls = 80

/** The polls whose times are added up: not every poll has events that leave the overlap. */
const pollsPerTime = 4

/**
 * The budget of a poll of the busiest permitted contract, whose readers have leased it: its time while ten products with webhooks
 * are told of each event, relative to the same poll without webhooks, in turns, on stubs with fixed delays. Both have
 * surroundings of their own, because a chain has one position.
 */
export async function measurePolls(
  { followStep }: Subjects,
  untold: Surroundings,
  told: Surroundings,
): Promise<Budget> {
  const contenderOf = (around: Surroundings, variables: Record<string, string> = {}) => ({
    subject: followStep,
    variables: { ...around.variables, FOLLOWED_CHAINS: chain, ...variables },
    operation: polled(around),
  })
  const contenders = {
    untold: contenderOf(untold),
    told: contenderOf(told, told.webhookVariables),
  }
  tellProducts(told)
  told.counter.take()
  const turns = { turns: firstPolls + measuredPolls, callsPerTurn: 1 }
  const measured = await measureInTurns('a poll', contenders, turns)
  if (callsOf(told.counter.take(), 'SQS') === 0) throw new Error('no webhook was told')
  const others = timesOfPolls(measured.untold)
  const ratios = timesOfPolls(measured.told).map((time, at) => time / (others[at] ?? Number.NaN))
  const spread = spreadOf(ratios)
  return {
    what: `a poll of the busiest permitted contract, with webhooks of ${products} products: time`,
    budget: `≤ ${maxOfUntold} × without webhooks`,
    measured: `${ratioText(spread)} of ${fixed(measured.untold.p50)} ms`,
    isMet: spread.median <= maxOfUntold,
  }
}

/** The times of four polls each, after the first ones, in milliseconds. */
function timesOfPolls({ milliseconds }: Measured): number[] {
  const measured = milliseconds.slice(firstPolls)
  return Array.from({ length: measured.length / pollsPerTime }, (_, index) =>
    measured
      .slice(index * pollsPerTime, (index + 1) * pollsPerTime)
      .reduce((sum, time) => sum + time, 0),
  )
}

/** A poll at a time that is 5 s later each time, of a contract of which 50 NFTs were minted since the one before. */
function polled(around: Surroundings): Operation {
  const { world, table, delays, indexerClock } = around
  Object.assign(delays, fixedDelays)
  const place = { network: chains[chain].network, address: collection }
  // Deploys the contract.
  newWallet(around, 1)
  noteFollowing(table)
  let minted = 0
  return {
    title: 'a poll',
    functionName: 'follow-step',
    event() {
      for (let count = 0; count < eventsPerPoll; count += 1) {
        minted += 1
        const nft = { ...place, tokenId: `${1_000_000 + minted}` }
        transfer(world, nft, { to: `0x${randomBytes(20).toString('hex')}` }, indexerClock.now)
      }
      indexerClock.now += pollMilliseconds
      return { now: indexerClock.now }
    },
  }
}

/** Gives products webhooks that are told of the events of the contract. */
function tellProducts({ table }: Surroundings): void {
  const contract = { chain, address: collection } as const
  for (let count = 0; count < products; count += 1) {
    const { productId } = seedProduct(table, 1)
    table.put({ ...itemKey(subscriberKey(contract, branded(productId))), addedAt: { N: '1' } })
  }
  const until = { N: String(Date.now() + 86_400_000) }
  const { pk, sk } = followedContractKey(contract)
  table.put({
    ...table.get(pk, sk),
    ...itemKey({ pk, sk }),
    watchedUntil: until,
    pushedUntil: until,
  })
}
