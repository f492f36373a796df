import { lookAgain, type SecondLookPorts } from '../audits/second-look.ts'
import { type RangeReader, rangeReader } from '../following/chain-range.ts'
import type { ChainEvents } from '../ports/chain-events.ts'
import type { WorkQueue } from '../ports/work-queue.ts'
import type { Deadline } from '../time-budget.ts'
import type { UpkeepWork } from '../work/work-item.ts'
import { delaySeconds, type UpkeepResult, unavailable, unavailablePause } from './upkeep-result.ts'

type LookItem = Extract<UpkeepWork, { kind: 'secondLook' }>

export interface LookWorkPorts extends Omit<SecondLookPorts, 'ranges'> {
  chainEvents: ChainEvents
  workQueue: WorkQueue
}

/** How long after a look what differs is looked at again: a poll or so later, in milliseconds. */
const againAfter = 15_000

/** Reads the events of blocks again, and again in another item what can not be decided yet (D154). Throws ServiceUnavailable. */
export async function lookAtBlocks(
  { look, until }: LookItem,
  deadline: Deadline,
  ports: LookWorkPorts,
): Promise<UpkeepResult> {
  if (ports.now() > until) return { outcome: 'undecided', reason: `${look.contracts.length} left` }
  const goOn = (pause: number, contracts = look.contracts) =>
    ports.workQueue.send(
      { kind: 'secondLook', look: { ...look, contracts }, until },
      delaySeconds(pause),
    )
  const ranges: RangeReader = rangeReader(look.chain, ports.chainEvents)
  const report = await lookAgain(look, { ...ports, ranges }, deadline).catch(unavailable)
  if ('outcome' in report) {
    await goOn(unavailablePause)
    return report
  }
  const { ended, again, refused } = report
  if (again.length > 0) await goOn(againAfter, again)
  const counts = { ended: ended.length, again: again.length, refused: refused.length }
  const told = Object.entries(counts).filter(([, count]) => count > 0)
  return {
    outcome: ended.length > 0 ? 'ended' : again.length > 0 ? 'again' : 'agrees',
    reason:
      told.length > 0
        ? [
            ...told.map(([name, count]) => `${count} ${name}`),
            ...ended.map((of) => of.address),
          ].join(', ')
        : undefined,
    ...(ended.length > 0 && { endedSnapshots: ended.length }),
  }
}
