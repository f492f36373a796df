/** The request units of DynamoDB (docs/requests.md#prices). */
export interface Capacity {
  readUnits: number
  writeUnits: number
}

/** The units of a read: 1 for each 4 KB, half of it if the read is eventually consistent, at least 1 for nothing. */
export const readOf = (bytes: number, isConsistent: boolean | undefined): Capacity => ({
  readUnits: atLeastOne(bytes / 4_096) / (isConsistent ? 1 : 2),
  writeUnits: 0,
})

/** The units of a write: 1 for each KB of the larger of the item before and after it. */
export const writeOf = (...bytes: readonly number[]): Capacity => ({
  readUnits: 0,
  writeUnits: atLeastOne(Math.max(...bytes) / 1_024),
})

const atLeastOne = (units: number): number => Math.max(1, Math.ceil(units))
