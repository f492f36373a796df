import type { ChainPositions, FoundReading, KeptReadings } from '../ports/kept-readings.ts'
import type { Deadline } from '../time-budget.ts'
import { type AcceptedAge, momentOf, type RememberingSettings, staleMoment } from './freshness.ts'
import type { KeptReading, ReadingAge, ReadingScope } from './kept-reading.ts'
import { type BranchPorts, branchOf } from './replaced-blocks.ts'

/** A reading that was unpacked, and the moment of which it speaks. */
export interface Unpacked {
  reading: KeptReading
  moment: number
}

/** The latest kept reading of a scope, as far as it may be used. */
export interface UsableReading {
  latest?: FoundReading | undefined
  /** Present if it may be used in place of the indexer's answer. */
  usable?: Unpacked | undefined
  /** The reading as it may be used because the indexer is down. */
  stale(): Promise<Unpacked | undefined>
}

/** Finds the latest kept reading of a scope, and decides about its use (D65, D87). */
export async function findUsable(
  scope: ReadingScope,
  request: {
    accepted: AcceptedAge
    positions: Promise<ChainPositions> | undefined
    beside?: (() => void) | undefined
    deadline: Deadline
  },
  ports: BranchPorts & {
    keptReadings: Pick<KeptReadings, 'find'>
    remembering: RememberingSettings
  },
): Promise<UsableReading> {
  const { accepted, positions, beside, deadline } = request
  const nothing = { stale: async () => undefined }
  if (positions === undefined) return nothing
  const finding = ports.keptReadings.find(scope, await positions)
  beside?.()
  const { reading: latest, evidence } = await finding
  if (!latest || latest.isPart === false) return nothing
  const moment = (age: ReadingAge) => momentOf(age, evidence, ports.remembering, accepted)
  const stale = () => unpackIf(latest, (age) => staleMoment(age, Date.now(), accepted))
  const usable = await unpackIf(latest, moment)
  if (!usable || !evidence.chain) return { latest, usable, stale }
  const branch = await branchOf(scope, usable.reading, latest, ports, deadline)
  if (branch === 'part' || branch === 'unknown') return { latest, usable, stale }
  // What is known to have been replaced is not even used in place of an indexer that is down.
  return branch === 'replaced' ? nothing : { latest, stale }
}

/**
 * Unpacks a reading that has a moment, which is that of the unpacked reading: to unpack takes longer than to decide,
 * and most readings that are found on a busy chain cannot be used.
 */
async function unpackIf(
  found: FoundReading,
  momentOfAge: (age: ReadingAge) => number | undefined,
): Promise<Unpacked | undefined> {
  if (momentOfAge(found) === undefined) return undefined
  const reading = await found.unpack()
  const moment = reading && momentOfAge(reading)
  return reading && moment !== undefined ? { reading, moment } : undefined
}
