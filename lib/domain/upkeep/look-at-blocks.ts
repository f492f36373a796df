import { lookAgain, type SecondLookPorts } from '../audits/second-look.ts'
import { type RangeReader, rangeReader } from '../following/chain-range.ts'
import type { ChainEvents } from '../ports/chain-events.ts'
import type { ContractCares } from '../ports/contract-care.ts'
import type { Deadline } from '../time-budget.ts'
import type { UpkeepWork } from '../work/work-item.ts'
import { goesOn, type UpkeepStep, waiting } from './upkeep-result.ts'

type LookItem = Extract<UpkeepWork, { kind: 'secondLook' }>

export interface LookWorkPorts extends Omit<SecondLookPorts, 'ranges'> {
  chainEvents: ChainEvents
  contractCares: Pick<ContractCares, 'note'>
}

/** How long after a look what differs is looked at again: a poll or so later, in milliseconds. */
const againAfter = 15_000

/** Reads the events of blocks again, and again in another item what can not be decided yet (D154). Throws ServiceUnavailable. */
export async function lookAtBlocks(
  item: LookItem,
  deadline: Deadline,
  ports: LookWorkPorts,
): Promise<UpkeepStep> {
  const { look, until } = item
  if (ports.now() > until) return { outcome: 'undecided', reason: `${look.contracts.length} left` }
  const ranges: RangeReader = rangeReader(look.chain, ports.chainEvents)
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
