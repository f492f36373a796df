/** The volumes that have an alarm. Each of them costs money. */
export const volumes = [
  'indexerCalls',
  'registrations',
  'writes',
  'playerTokens',
  'signIns',
  'deviceCodes',
  'contractChecks',
] as const

export type Volume = (typeof volumes)[number]

/** The volume from which each alarm is on: in a period of five minutes, of `contractChecks` in 30. */
export type VolumeThresholds = Readonly<Record<Volume, number>>

const periodSeconds = 300

/** The periods of a month of 30 days. */
const periodsPerMonth = (30 * 86_400) / periodSeconds

/** The compute units that Alchemy counts for a call of its NFT API: of throughput, and of the month. */
const unitsPerCall = { throughput: 100, month: 480 }

/** The average of a month that uses up the plan, times this number, is an alarm: three days would use it up. */
const monthFactor = 10

/** The requests a second that a new table on demand accepts, and that KMS accepts for ECC keys. */
const quota = { writes: 4_000, signatures: 1_000 }

/** The limits that are the defaults, for deployments without them. */
const usual = { registrations: 100, signIns: 36_000, deviceCodes: 36_000, contractChecks: 6_000 }

/** The share of an hourly limit from which its alarm is on. */
const shareOfLimit = 0.5

/** The settings from which the thresholds follow. */
export interface VolumeSettings {
  readonly indexerUnitsPerSecond: number
  readonly indexerUnitsPerMonth: number
  readonly registrationsPerHour?: number | undefined
  readonly signInsPerHour?: number | undefined
  readonly deviceCodesPerHour?: number | undefined
  readonly contractChecksPerHour?: number | undefined
  readonly volumeAlarms: Readonly<Partial<Record<Volume, number>>>
}

/**
 * The thresholds of the setting `volumeAlarms`. The defaults are ten times the calls that the plan of the indexer
 * permits on average, but at most a half of its throughput; a half of the hourly limits of registrations, sign-ins, device
 * codes and contract checks, a quarter of the writes that a new table accepts, and a tenth of the signatures that KMS accepts.
 */
export const volumeThresholds = ({
  indexerUnitsPerSecond,
  indexerUnitsPerMonth,
  registrationsPerHour = usual.registrations,
  signInsPerHour = usual.signIns,
  deviceCodesPerHour = usual.deviceCodes,
  contractChecksPerHour = usual.contractChecks,
  volumeAlarms,
}: VolumeSettings): VolumeThresholds => ({
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
