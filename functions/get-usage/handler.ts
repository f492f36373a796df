import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoDailyUsages } from '../../lib/adapters/dynamodb/usage-counters.ts'
import { type Day, defaultUsageDays, latestDays, noUsage } from '../../lib/domain/usage/usage.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { productCallerPorts } from '../composition/product-ports.ts'
import { row } from './operation.ts'

const table = openTable()

/** D55: the usage of the product by day, today first. Days without usage are listed too. */
export const handler = handlerOf(
  row,
  { ...productCallerPorts(table), dailyUsages: dynamoDailyUsages(table) },
  async ({ productId, query }, { dailyUsages }) => {
    const days = latestDays(query.days ?? defaultUsageDays, Date.now())
    const range = { first: days.at(-1) as Day, last: days[0] as Day }
    const used = await dailyUsages.list(productId, range)
    const byDay = new Map(used.map((usage) => [usage.day, usage]))
    return { data: days.map((day) => byDay.get(day) ?? noUsage(day)) }
  },
)
