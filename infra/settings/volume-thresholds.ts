import type { Volume } from './alarm-settings.ts'
import { daysPerMonth, unitsPerCall } from './indexer-plan.ts'
import type { Settings } from './settings.ts'
import { limits } from './stages.ts'

const periodSeconds = 300
const periodsPerMonth = (daysPerMonth * 86_400) / periodSeconds

/** The average of a month that uses up the plan, times this number, is an alarm: three days would use it up. */
const monthFactor = 10

/** The requests a second that a new table on demand accepts, and that KMS accepts for ECC keys. */
const quota = { writes: 4_000, signatures: 1_000 }

/**
 * The volumes from which alarms are on: in a period of five minutes, of `contractChecks` in 30. The defaults are ten times the calls
 * that the plan of the indexer permits on average, but at most a half of its throughput; a half of the hourly limits of registrations,
 * sign-ins, device codes and contract checks, a quarter of the writes that a new table accepts, and a tenth of the signatures that KMS
 * accepts.
 */
export function volumeThresholds(settings: Settings): Readonly<Record<Volume, number>> {
  const { indexerUnitsPerSecond, indexerUnitsPerMonth } = settings
  const halfOf = (limit: keyof typeof limits) => Math.ceil((settings[limit] ?? limits[limit]) / 2)
  return {
    indexerCalls: Math.ceil(
      Math.min(
        (indexerUnitsPerSecond / unitsPerCall.throughput) * periodSeconds * 0.5,
        (indexerUnitsPerMonth / unitsPerCall.month / periodsPerMonth) * monthFactor,
      ),
    ),
    registrations: halfOf('registrationsPerHour'),
    writes: quota.writes * periodSeconds * 0.25,
    playerTokens: quota.signatures * periodSeconds * 0.1,
    signIns: halfOf('signInsPerHour'),
    deviceCodes: halfOf('deviceCodesPerHour'),
    // In half an hour.
    contractChecks: Math.ceil(halfOf('contractChecksPerHour') / 2),
    ...settings.volumeAlarms,
  }
}
