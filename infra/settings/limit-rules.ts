import type { DeploymentSettings as Settings } from './deployment-setting-table.ts'

/** Pairs of limits (D47), of which the first is never reached if it is above the second. */
const pairs = [
  ['registrationsPerAddressAndHour', 'registrationsPerHour'],
  ['indexerCallsPerProductAndMinute', 'indexerCallsPerProductAndDay'],
  ['clientIndexerCallsPerProductAndMinute', 'indexerCallsPerProductAndMinute'],
  ['clientIndexerCallsPerProductAndDay', 'indexerCallsPerProductAndDay'],
  ['clientIndexerCallsPerProductAndMinute', 'clientIndexerCallsPerProductAndDay'],
  ['signInsPerAddressAndHour', 'signInsPerHour'],
  ['deviceCodesPerAddressAndHour', 'deviceCodesPerHour'],
] as const satisfies [keyof Settings, keyof Settings][]

/**
 * The faults of limits that are set in vain, because another limit is reached before. A default is no fault: the smaller
 * limit holds then.
 */
export const limitFaults = (
  given: Readonly<Record<string, unknown>>,
  settings: Settings,
): string[] =>
  pairs.flatMap(([name, other]) => {
    const [count = 0, most = Number.POSITIVE_INFINITY] = [settings[name], settings[other]]
    if (given[name] === undefined || count <= most) return []
    const source = given[other] === undefined ? ' by default' : ''
    return [`${name} must be at most ${other}, which is ${most}${source}`]
  })
