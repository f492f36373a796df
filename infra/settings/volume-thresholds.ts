import type { Volume } from './alarm-settings.ts'
import type { Settings } from './settings.ts'
import { limits } from './stages.ts'

const periodSeconds = 300

/** The periods of a month of 30 days. */
const periodsPerMonth = (30 * 86_400) / periodSeconds

/** The compute units that Alchemy counts for a call of its NFT API: of throughput, and of the month. */
const unitsPerCall = { throughput: 100, month: 480 }

/** The average of a month that uses up the plan, times this number, is an alarm: three days would use it up. */
const monthFactor = 10

/** The requests a second that a new table on demand accepts, and that KMS accepts for ECC keys. */
const quota = { writes: 4_000, signatures: 1_000 }

/** The share of an hourly limit from which its alarm is on. */
const shareOfLimit = 0.5

/**
 * The volumes from which alarms are on: in a period of five minutes, of `contractChecks` in 30. The defaults are ten times the calls
 * that the plan of the indexer permits on average, but at most a half of its throughput; a half of the hourly limits of registrations,
 * sign-ins, device codes and contract checks, a quarter of the writes that a new table accepts, and a tenth of the signatures that KMS
 * accepts.
 */
export const volumeThresholds = ({
  indexerUnitsPerSecond,
  indexerUnitsPerMonth,
  registrationsPerHour = limits.registrationsPerHour,
  signInsPerHour = limits.signInsPerHour,
  deviceCodesPerHour = limits.deviceCodesPerHour,
  contractChecksPerHour = limits.contractChecksPerHour,
  volumeAlarms,
}: Settings): Readonly<Record<Volume, number>> => ({
  indexerCalls: Math.ceil(
    Math.min(
      (indexerUnitsPerSecond / unitsPerCall.throughput) * periodSeconds * 0.5,
      (indexerUnitsPerMonth / unitsPerCall.month / periodsPerMonth) * monthFactor,
    ),
  ),
  registrations: Math.ceil(registrationsPerHour * shareOfLimit),
  writes: quota.writes * periodSeconds * 0.25,
  playerTokens: quota.signatures * periodSeconds * 0.1,
  signIns: Math.ceil(signInsPerHour * shareOfLimit),
  deviceCodes: Math.ceil(deviceCodesPerHour * shareOfLimit),
  // In half an hour.
  contractChecks: Math.ceil((contractChecksPerHour * shareOfLimit) / 2),
  ...volumeAlarms,
})
