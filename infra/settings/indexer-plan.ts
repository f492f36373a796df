/**
 * The compute units of the most expensive call to the indexer: in the throughput of a plan, and in its month, which is on the bill
 * (docs/quotas.md, docs/requests.md).
 */
export const unitsPerCall = { throughput: 100, month: 480 }

/** The days of a month, as the plan of the indexer is divided. */
export const daysPerMonth = 30
