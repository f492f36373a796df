import { lookAgain } from '../audits/second-look.ts'
import { rangeReader } from '../following/chain-range.ts'
import { askDueMetadata } from '../metadata/due-metadata.ts'
import type { Chain } from '../nft/chain.ts'
import { type Deadline, lastStepMilliseconds } from '../time-budget.ts'
import type { UpkeepWork } from '../work/work-item.ts'
import { auditContract } from './audit-contract.ts'
import { prefetchMetadata } from './prefetch-metadata.ts'
import { runUpkeep } from './run-upkeep.ts'
import type { UpkeepPorts } from './upkeep-ports.ts'
import {
  delaySeconds,
  goesOn,
  type UpkeepResult,
  type UpkeepStep,
  waiting,
} from './upkeep-result.ts'
import { workAtSnapshot } from './work-at-snapshot.ts'

/**
 * Processes one item of the upkeep of kept contracts until `until`, and sends what goes on as new items (D153). An item may arrive twice,
 * late or out of order. An indexer that is unavailable fails no item: its work waits, or is sent again by the next upkeep. Throws
 * ServiceUnavailable.
 */
export async function processUpkeepItem(
  item: UpkeepWork,
  until: Deadline,
  ports: UpkeepPorts,
): Promise<UpkeepResult> {
  const chain = chainOf(item)
  if (ports.keptChains.length === 0 || (chain && !ports.keptChains.includes(chain))) {
    return { outcome: 'nothing', reason: 'the chain is not followed' }
  }
  const { next, noteAfterSending, ...result } = await stepOf(item, until, ports)
  if (next) await ports.workQueue.send(next.item, delaySeconds(next.pause))
  await noteAfterSending?.()
  return result
}

async function stepOf(item: UpkeepWork, until: Deadline, ports: UpkeepPorts): Promise<UpkeepStep> {
  switch (item.kind) {
    case 'upkeep':
      return { outcome: 'done', reason: `${await runUpkeep(ports.keptChains, ports)} sent` }
    case 'snapshot':
      return await workAtSnapshot(item, until, ports)
    case 'prefetch':
      return await prefetchMetadata(item, until, ports)
    case 'audit':
      return await auditContract(item, until + lastStepMilliseconds, ports)
    case 'secondLook':
      return await lookAtBlocks(item, until + lastStepMilliseconds, ports)
    case 'dueMetadata': {
      const asked = await askDueMetadata(item.chain, ports, until).catch(waiting)
      return typeof asked === 'object' ? goesOn(asked) : { outcome: asked ? 'again' : 'done' }
    }
    case 'deleteLists': {
      const isDone = await ports.snapshotLists.delete(item.snapshot, until)
      return { outcome: isDone ? 'done' : 'again' }
    }
  }
}

/** The chain of an item; `undefined` if it is of all chains. Lists are deleted also of a chain that is not followed any more. */
function chainOf(item: UpkeepWork): Chain | undefined {
  if ('contract' in item) return item.contract.chain
  if (item.kind === 'secondLook') return item.look.chain
  return item.kind === 'dueMetadata' ? item.chain : undefined
}

/** How long after a look what differs is looked at again: a poll or so later, in milliseconds. */
const againAfter = 15_000

/** Reads the events of blocks again, and again in another item what can not be decided yet (D154). Throws ServiceUnavailable. */
async function lookAtBlocks(
  item: Extract<UpkeepWork, { kind: 'secondLook' }>,
  deadline: Deadline,
  ports: UpkeepPorts,
): Promise<UpkeepStep> {
  const { look, until } = item
  if (ports.now() > until) return { outcome: 'undecided', reason: `${look.contracts.length} left` }
  const ranges = rangeReader(look.chain, ports.chainEvents)
  const report = await lookAgain(look, { ...ports, ranges }, deadline).catch(waiting)
  if ('outcome' in report) return goesOn(report, item)
  const { ended, again, refused } = report
  for (const { address, isRepeated } of ended) {
    const contract = { chain: look.chain, address }
    if (isRepeated) await ports.contractCares.note(contract, { doubtedAt: ports.now() })
  }
  const counts = { ended: ended.length, again: again.length, refused: refused.length }
  const told = [
    ...Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : [])),
    ...ended.map(({ address }) => address),
  ]
  return {
    outcome: ended.length > 0 ? 'ended' : again.length > 0 ? 'again' : 'agrees',
    reason: told.length > 0 ? told.join(', ') : undefined,
    ...(ended.length > 0 && { endedSnapshots: ended.length }),
    ...(again.length > 0 && {
      next: { item: { ...item, look: { ...look, contracts: again } }, pause: againAfter },
    }),
  }
}
