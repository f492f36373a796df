import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { followChain } from '../../../lib/domain/following/follow-chain.ts'
import type { Holdings } from '../../../lib/domain/holdings/holdings.ts'
import { newKeptContract, settledBlock } from '../../../lib/domain/holdings/kept-contract.ts'
import { readHoldings } from '../../../lib/domain/holdings/read-holdings.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { KeptHoldings } from '../../../lib/domain/ports/kept-contracts.ts'
import { memoryFollowNotes } from '../../../simulation/followed-table.ts'
import {
  listAt,
  memoryDigests,
  memoryKeptContracts,
  memoryKeptHoldings,
} from '../../../simulation/kept-table.ts'
import { tokensOf } from './held-state.ts'
import { blockOf, contract, headAt, type ModelBlock, wallets } from './kept-chain.ts'
import { deleteLists, takeSnapshots } from './kept-worker.ts'
import {
  chain,
  type KeptWorld,
  keptWorld,
  latency,
  modelEvents,
  settlingSeconds,
} from './kept-world.ts'
import { pairsOfReplaced } from './read-pages.ts'

/** What was found in a history. */
type KeptCounts = ReturnType<typeof noCounts>

const noCounts = () => ({
  /** The answers from what is kept, and those for which the indexer would be asked. */
  ...{ kept: 0, indexed: 0 },
  /** The answers from what is kept after everything is calm: there are at most two. */
  keptAtEnd: 0,
  /** Wrong answers in the minute after a reorganization that is deeper than the overlap: the page names them. */
  wrongAfterDeep: 0,
  /** 1 if an answer was wrong in what both passes had read from replaced branches that agree, and in nothing else: the page names it. */
  wrongOfReplaced: 0,
})

/** An answer that says what was not so. */
class WrongAnswer extends Error {}

/** Plays a history, and throws WrongAnswer if an answer says what was not so. */
export async function playKept(seed: number): Promise<KeptCounts> {
  const world = keptWorld(seed)
  const { time } = world
  const counts = noCounts()
  const failed = new Promise<never>((_resolve, reject) => {
    world.fail = reject
  })
  for (const name of ['F', 'G']) startFollower(world, name)
  if (world.options.takes)
    for (const work of [takeSnapshots, deleteLists]) work(world).catch(world.fail)
  else giveSnapshots(world).catch(world.fail)
  for (let count = 0; count < 3; count += 1) runContainer(world, counts).catch(world.fail)
  const ended = Promise.race([failed, readAtEnd(world, counts)])
  await time.runUntil(ended)
  await ended
  return counts
}

/** Keeps the contract, with snapshots that are right: those of the chain itself. */
async function giveSnapshots({ time, kept, followed, model, options, end }: KeptWorld) {
  kept.contracts.set(contract, newKeptContract(contract))
  for (let id = 1; time.now() < end; ) {
    await time.sleep(time.between(2_000, 17_000))
    const item = kept.contracts.get(contract)
    const position = followed.positions.get(chain)
    if (!item || item.snapshot || item.prepared || !position?.settling) continue
    const settledUpTo = settledBlock(position.settling, item)
    const block = blockOf(headAt(model, time.now()), settledUpTo)
    if (!block) continue
    const snapshot = { id: `${id}`, standard: options.standard, step: position.step }
    id += 1
    for (const wallet of wallets) {
      const tokens = tokensOf(block.state, wallet)
      const key = listAt({ address: contract, id: snapshot.id }, wallet)
      if (tokens.size > 0) kept.lists.set(key, { settledUpTo, tokens })
      await time.sleep(time.between(10, 300))
    }
    const now = kept.contracts.get(contract)
    // The follower may have ended the log, or settled further, meanwhile.
    if (now?.version !== item.version) continue
    const prepared = { ...snapshot, since: settledUpTo, at: time.now() }
    kept.contracts.set(contract, { ...now, version: now.version + 1, prepared })
  }
}

/** A container in which requests are read, some of them at the same time. */
async function runContainer(world: KeptWorld, counts: KeptCounts): Promise<void> {
  const { time, end, start, options } = world
  let delay = 0
  const turn = () => time.sleep(time.between(5, 120) + (delay > 0 ? time.between(0, delay) : 0))
  const tables = { followed: world.followed, kept: world.kept }
  const keptHoldings = memoryKeptHoldings(tables, time.now, turn)
  const reads = time.between(8, 14)
  for (let read = 0; read < reads; read += 1) {
    await time.sleep(time.random() * ((end - start) / reads) * 2)
    delay = time.random() < options.slow ? time.between(500, 4_000) : 0
    const some = [time.pick(wallets.slice(0, 2)), time.pick(wallets.slice(2))]
    const reading = readOnce(world, some, keptHoldings, counts)
    if (time.isOneOf(3)) await Promise.all([reading, readOnce(world, some, keptHoldings, counts)])
    else await reading
  }
}

async function readOnce(
  world: KeptWorld,
  some: readonly Address[],
  keptHoldings: KeptHoldings,
  counts: KeptCounts,
): Promise<boolean> {
  const { time, model, passes } = world
  const query = { chain, wallets: some, contracts: [contract] }
  const { contracts, moment, known } = await readHoldings(query, keptHoldings, time.now)
  const said = contracts.get(contract)
  if (said && moment !== undefined) counts.kept += 1
  else counts.indexed += 1
  if (!said || moment === undefined || wasTrue(world, said, moment)) return said !== undefined
  if (isAfterDeep(world)) counts.wrongAfterDeep += 1
  else {
    const { snapshot } = (await known)?.get(contract) ?? {}
    const isOfReplaced = snapshot && pairsOfReplaced(passes, snapshot, headAt(model, time.now()))
    if (!wasTrue(world, said, moment, isOfReplaced))
      throw new WrongAnswer(described(world, said, moment))
    counts.wrongOfReplaced = 1
  }
  return true
}

/** Whether a reorganization beyond the overlap may not have been noticed yet. */
const isAfterDeep = ({ time, model }: KeptWorld): boolean =>
  model.deepAt.some((at) => time.now() > at && time.now() < at + 60_000)

async function readAtEnd(world: KeptWorld, counts: KeptCounts): Promise<void> {
  const { time, end, followed, kept } = world
  for (const before of [12_000, 1_000]) {
    await time.sleep(end - before - time.now())
    const turn = () => time.sleep(time.between(5, 80))
    const keptHoldings = memoryKeptHoldings({ followed, kept }, time.now, turn)
    if (await readOnce(world, wallets, keptHoldings, counts)) counts.keptAtEnd += 1
  }
  if (world.options.takes) checkLists(world)
}

/** Throws if there are lists that nobody would find to delete them. */
function checkLists({ kept: { lists, registered, holders } }: KeptWorld): void {
  const found = new Set(
    [...registered.keys()].flatMap((snapshot) =>
      [...(holders.get(snapshot) ?? [])].map((wallet) => `${snapshot} ${wallet}`),
    ),
  )
  const lost = [...lists.keys()].filter((list) => !found.has(list))
  if (lost.length > 0) throw new Error(`nobody finds the lists ${lost}`)
}

function described(
  { time, start, model, options, kept }: KeptWorld,
  said: SaidHoldings,
  moment: number,
) {
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, part) =>
      part instanceof Map ? Object.fromEntries(part) : typeof part === 'bigint' ? `${part}` : part,
    )
  const { number, state } = headAt(model, time.now())
  return [
    `after ${(time.now() - start) / 1_000} s, of ${(moment - start) / 1_000} s: ${text(said)}`,
    `the chain at ${number}: ${text(state)}`,
    `the item: ${text(kept.contracts.get(contract))}`,
    `the lists: ${text(kept.lists)}`,
    text(options),
  ].join('\n')
}

/** What wallets hold, as an answer says. */
type SaidHoldings = ReadonlyMap<Address, Holdings>

/**
 * Whether what an answer says of wallets held, for all of them together, after one block that some node had as its latest or before it, between
 * the moment of which the answer speaks, less the settling time, and now. `isLeftOut`: the pairs of wallet and token that are not judged.
 */
function wasTrue(
  { time, model, options }: KeptWorld,
  said: SaidHoldings,
  moment: number,
  isLeftOut: IsLeftOut = () => false,
) {
  const slackSeconds = options.far > 0 ? 40 : 0
  const earliest = moment - (settlingSeconds + slackSeconds) * 1_000
  const judged = new Set<ModelBlock>()
  for (let index = model.heads.length - 1; index >= 0; index -= 1) {
    const { since, block: head } = model.heads[index] as (typeof model.heads)[number]
    if (since <= time.now()) {
      for (
        let block: ModelBlock | undefined = head;
        block && !judged.has(block);
        block = block.parent
      ) {
        judged.add(block)
        if (isState(block, said, isLeftOut)) return true
        if (block.at < earliest) break
      }
    }
    if (since < earliest) break
  }
  return false
}

type IsLeftOut = (wallet: Address, tokenId: TokenId) => boolean

const isState = ({ state }: ModelBlock, said: SaidHoldings, isLeftOut: IsLeftOut): boolean =>
  [...said].every(([wallet, holdings]) =>
    [...state].every(
      ([tokenId, of]) =>
        (of.get(wallet) ?? 0n) === (holdings.get(tokenId) ?? 0n) || isLeftOut(wallet, tokenId),
    ),
  )

/** Starts a process that follows the chain, and another one in its place when it is killed or has ended. */
export function startFollower(world: KeptWorld, name: string): void {
  const { time, options, calmFrom, end } = world
  let generation = 0

  async function follow(): Promise<void> {
    generation += 1
    const holder = `${name} ${generation}`
    const until = Math.min(end + 60_000, time.now() + time.between(20, 90) * 1_000)
    let isKilled = false
    const turn = async (call: string) => {
      await latency(world)
      if (isKilled) await forever()
      if (time.now() >= calmFrom || !writes.includes(call)) return
      if (options.stallAt === call && time.random() < 0.15)
        await time.sleep(time.between(22_000, 52_000))
      if (time.random() < options.crash / 2) {
        isKilled = true
        void time.sleep(time.between(1_000, 11_000)).then(follow)
        await forever()
      }
      if (time.random() < options.stall / 2) await time.sleep(time.between(5_000, 65_000))
    }
    const throttles = () => time.now() < calmFrom && time.random() < options.throttle
    await followChain(
      { chain, holder },
      {
        chainEvents: modelEvents(world),
        followNotes: memoryFollowNotes(world.followed, time.now, turn),
        keeping: {
          keptContracts: memoryKeptContracts(world.kept, turn, throttles),
          settledDigests: memoryDigests(),
        },
        ...{ now: time.now, sleep: time.sleep },
      },
      {
        followPollSeconds: options.isShort ? 1 : 5,
        followLogsPerMinute: 1_000,
        settlingSeconds,
      },
      until,
    )
    if (time.now() < end) await follow()
  }
  follow().catch((error) => world.fail(error))
}

/** The calls that change something. */
const writes = ['kept list', 'kept contract', 'kept log', 'moveTo', 'noteContracts']

/** What a process waits for that was killed. A promise that all of them shared would keep their histories in memory. */
const forever = () => new Promise<never>(() => undefined)
