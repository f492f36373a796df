import { usualQuota } from '../infra/api/gateway-quota.ts'
import { throttlesWithin } from '../infra/api/stage-throttles.ts'
import type { Throttle } from '../infra/api/throttles.ts'
import { functionTimeoutSeconds } from '../lib/domain/time-budget.ts'
import { table } from '../openapi/reference/markdown.ts'

/** Accounts, by the heading of their column. */
const accounts = {
  '`prod`, 1,000 executions': { accountConcurrency: 1_000, reservedConcurrency: {} },
  '`dev`, 1,000 executions': { accountConcurrency: 1_000, reservedConcurrency: 'none' },
  'a new account, 10 executions': { accountConcurrency: 10, reservedConcurrency: 'none' },
} as const

/** The throttles of the routes in accounts of different sizes. */
export function throttlesTable(): string {
  const columns = Object.values(accounts).map((account) =>
    throttlesWithin({ ...account, slowestOpenCallSeconds: functionTimeoutSeconds }, usualQuota),
  )
  const keys = new Set(columns.flatMap(({ routes }) => Object.keys(routes)))
  const rows = [...keys].map((key) => [
    `\`${key}\``,
    ...columns.map(({ routes, others }) => textOf(routes[key] ?? others)),
  ])
  const others = ['each other route', ...columns.map((each) => textOf(each.others))]
  return table(['route', ...Object.keys(accounts)], [...rows, others])
}

const textOf = ({ burstLimit, rateLimit }: Throttle): string =>
  `${burstLimit.toLocaleString('en')} at once, ${rateLimit.toLocaleString('en')} a second`
