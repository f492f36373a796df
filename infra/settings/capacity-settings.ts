import { functionTimeoutSeconds } from '../../lib/domain/time-budget.ts'
import { wholeNumber } from '../../lib/settings/forms.ts'
import type { SettingTable } from '../../lib/settings/setting.ts'
import { reservations } from './forms.ts'

/** The settings of what the account and the plan of the indexer permit, from which throttles and limits follow. */
export const capacitySettings = {
  accountConcurrency: {
    meaning:
      "the account's quota of concurrent executions, from which the [throttles](operations.md#throttles) follow",
    form: wholeNumber(10, 1_000_000),
    // The quota of a Region of an account. New accounts start with less.
    default: 1_000,
  },
  reservedConcurrency: {
    meaning:
      'concurrent executions that are reserved for a function, and are also its maximum: `{"registerProduct": 10, "getOpenapi": null}`. Functions that need no API key have [defaults](operations.md#concurrency); `null` reserves nothing for one function, and `"none"` reserves nothing at all',
    form: reservations,
    default: {},
  },
  slowestOpenCallSeconds: {
    meaning:
      'the duration of the slowest call of an open operation, from which the throttles follow too',
    form: wholeNumber(1, functionTimeoutSeconds),
    default: functionTimeoutSeconds,
  },
  gatewayRequestsPerSecond: {
    meaning:
      "your account's quota of API Gateway in requests a second, if it is not the default of the Region, which is 10,000, or 2,500 in [some](operations.md#throttles). No throttle is above it",
    form: wholeNumber(1, 1_000_000),
    optional: true,
  },
  gatewayBurst: {
    meaning:
      'the requests at once that this quota permits, if they are not the default of the Region, which is 5,000 or 1,250. No throttle is above it',
    form: wholeNumber(1, 1_000_000),
    optional: true,
  },
  indexerUnitsPerSecond: {
    meaning: 'the compute units per second of your Alchemy plan',
    form: wholeNumber(50, 1_000_000),
    // Alchemy's free plan.
    default: 500,
  },
  indexerUnitsPerMonth: {
    meaning:
      'the compute units per month that your Alchemy plan includes, or that you want to pay for',
    form: wholeNumber(1_000, 1_000_000_000_000),
    // Alchemy's free plan.
    default: 30_000_000,
  },
} as const satisfies SettingTable
