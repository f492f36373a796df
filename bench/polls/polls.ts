import { followedContractKey } from '../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { subscriberKey } from '../../lib/adapters/dynamodb/keys/webhook-subscriptions.ts'
import { branded } from '../../lib/domain/branded.ts'
import { type Budget, fixed, ratioText } from '../report.ts'
import { chain, collection, itemKey, seedProduct } from '../scenario/products.ts'
import { type Measured, measureInTurns } from '../side-by-side/turns.ts'
import { spreadOf } from '../statistics.ts'
import { callsOf } from '../stubs/call-counter.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { beginKeeping, checkKept, polled } from './polled-chains.ts'

const maxOfUntold = 1.1

const products = 10

/** The most events of a contract between two polls. */
const eventsPerPoll = 50

/** The polls before the log is as long as it stays: those of the overlap, and some more. */
const firstPolls = 20
const measuredPolls = 80

/** The polls whose times are added up: not every poll has events that leave the overlap. */
const pollsPerTime = 4

const contract = { chain, address: collection } as const

/**
 * The budget of a poll of the busiest permitted contract, which is watched and kept: its time while ten products with webhooks
 * are told of each event, relative to the same poll without webhooks, in turns, on stubs with fixed delays. Both have
 * surroundings of their own, because a chain has one position.
 */
export async function measurePolls(
  { followStep: subject }: Subjects,
  untold: Surroundings,
  told: Surroundings,
): Promise<Budget> {
  const contenderOf = async (around: Surroundings, tells: boolean) => {
    const variables = { ...around.variables, FOLLOWED_CHAINS: chain }
    const operation = polled(around, [{ ...contract, eventsAt: () => eventsPerPoll }])
    watch(around, tells)
    await beginKeeping([contract], operation, { subject, variables })
    return { subject, operation, variables: { ...variables, ...(tells && told.webhookVariables) } }
  }
  const contenders = {
    untold: await contenderOf(untold, false),
    told: await contenderOf(told, true),
  }
  told.counter.take()
  const turns = { turns: firstPolls + measuredPolls, callsPerTurn: 1 }
  const measured = await measureInTurns('a poll', contenders, turns)
  if (callsOf(told.counter.take(), 'SQS') === 0) throw new Error('no webhook was told')
  for (const { variables } of Object.values(contenders)) await checkKept(contract, variables)
  const others = timesOfPolls(measured.untold)
  const ratios = timesOfPolls(measured.told).map((time, at) => time / (others[at] ?? Number.NaN))
  const spread = spreadOf(ratios)
  return {
    what: `a poll of the busiest permitted contract, watched and kept, with webhooks of ${products} products: time`,
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

/** Lets the events of the contract be logged. `tells`: products have webhooks that are told of them. */
function watch({ table }: Surroundings, tells: boolean): void {
  const until = { N: String(Date.now() + 86_400_000) }
  const watched = { ...itemKey(followedContractKey(contract)), watchedUntil: until }
  table.put(tells ? { ...watched, pushedUntil: until } : watched)
  for (let count = 0; tells && count < products; count += 1) {
    const { productId } = seedProduct(table, 1)
    table.put({ ...itemKey(subscriberKey(contract, branded(productId))), addedAt: { N: '1' } })
  }
}
