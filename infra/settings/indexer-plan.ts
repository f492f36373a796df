import type { DeploymentSettings as Settings } from './deployment-setting-table.ts'

/**
 * The calls that the plan of the indexer permits, if each is the most expensive one, on the bill and in the throughput
 * (docs/requests.md, docs/quotas.md). A month has 30 days.
 */
export const indexerPlan = ({ indexerUnitsPerSecond, indexerUnitsPerMonth }: Settings) => ({
  callsPerSecond: indexerUnitsPerSecond / 100,
  callsPerDay: indexerUnitsPerMonth / 480 / 30,
})
