import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { ChainState } from '../../../lib/domain/ports/chain-events.ts'
import type { TokenOwners } from '../../../lib/domain/ports/indexer.ts'
import { takeSnapshot } from '../../../lib/domain/snapshots/take-snapshot.ts'
import { unusedLists } from '../../../lib/domain/snapshots/unused-lists.ts'
import { tablePorts } from '../../../simulation/table-ports.ts'
import { Killed } from '../memory/interruptions.ts'
import { chainStateOf, holdersIn, tellOwners } from './held-state.ts'
import { blockOf, contract, headAt, type ModelBlock } from './kept-chain.ts'
import {
  chain,
  type KeptWorld,
  latency,
  modelEvents,
  nodeHead,
  settlingSeconds,
} from './kept-world.ts'
import { noteRead } from './read-pages.ts'

/** For how long lists are unused before they are deleted, in milliseconds: an hour, in a history of minutes. */
const unusedMilliseconds = 10_000

/** The time that each call of the worker takes, which some do not survive. */
const workerTurn = (world: KeptWorld) => async () => {
  const { time, calmFrom, options } = world
  await latency(world)
  if (time.now() < calmFrom && time.random() < options.crash / 10) throw new Killed()
}

/** Deletes lists that nothing uses, as the work queue does, which is killed amid some. */
export async function deleteLists(world: KeptWorld): Promise<void> {
  const { time, end } = world
  const ports = tablePorts(time.now, workerTurn(world), world)
  while (time.now() < end) {
    await time.sleep(time.between(500, 5_000))
    try {
      const unused = await unusedLists(chain, ports, time.now(), unusedMilliseconds)
      for (const each of unused) await ports.snapshotLists.delete(each, end)
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
  }
}

/** Takes snapshots of the contract, as the work queue does: in parts, some of which are killed. */
export async function takeSnapshots(world: KeptWorld): Promise<void> {
  const { time, kept, options, end } = world
  let ids = 0
  const ports = {
    ...tablePorts(time.now, workerTurn(world), world),
    ...{ chainEvents: modelEvents(world), chainState: modelState(world) },
    tokenOwners: tokenOwners(world),
    now: time.now,
    newId: () => {
      ids += 1
      return `${ids}`
    },
  }
  const settings = {
    standard: options.standard,
    settlingMilliseconds: settlingSeconds * 1_000,
    keptTokens: 100,
  }
  kept.contracts.set(contract, newKeptContract(contract))
  let pause = 0
  while (time.now() < end) {
    await time.sleep(Math.max(pause, time.between(1_000, 8_000)))
    const item = kept.contracts.get(contract)
    if (item?.snapshot && !time.isOneOf(options.renews ? 10 : 1_000)) continue
    const key = { chain, address: contract }
    try {
      const progress = await takeSnapshot(key, ports, settings, time.now() + 40_000)
      pause = 'pause' in progress ? progress.pause : 0
    } catch (error) {
      if (!(error instanceof Killed || error instanceof IndexerUnavailable)) throw error
    }
  }
}

/** The owners, as an indexer lists them whose pages are of different moments, and can be of branches that vanish. */
function tokenOwners(world: KeptWorld): TokenOwners {
  const { time, model, kept, passes } = world
  let statedAt = 0
  /** What the indexer has for a page: not older than the settling time before the block that it has stated. */
  function pageBlock(): ModelBlock {
    const earliest = Math.min(statedAt - settlingSeconds * 1_000 + 1_000, time.now())
    const moment = time.isOneOf(2)
      ? time.now() - time.random() * 2_000
      : earliest + time.random() * (time.now() - earliest)
    const block = headAt(model, moment)
    return block.at < earliest - 1_000 ? headAt(model, time.now()) : block
  }

  return {
    async statedBlock() {
      await latency(world)
      const { number, at } = headAt(model, time.now() - time.random() * 10_000)
      statedAt = at
      return { number, at }
    },
    async page({ pageKey }, take) {
      await time.sleep(time.between(300, 4_000))
      const block = pageBlock()
      const owners = holdersIn(block.state).filter((wallet) => wallet > (pageKey ?? ''))
      const [owner] = owners.sort()
      const { first, second } = kept.attempts.get(contract) ?? {}
      const pass = second ?? first
      if (pass)
        noteRead(
          passes,
          { id: pass.id, first: second && first?.id, pageKey },
          { upTo: owner, block },
        )
      if (owner) tellOwners(block.state, take, [owner])
      return owner
    },
  }
}

/** What the contract says at a block, if the node that is asked has it. */
export const modelState = (world: KeptWorld): ChainState =>
  chainStateOf(async ({ number, hash }) => {
    await latency(world)
    const block = blockOf(nodeHead(world), number)
    if (block?.hash !== hash) throw new IndexerUnavailable('header not found')
    return block.state
  })
