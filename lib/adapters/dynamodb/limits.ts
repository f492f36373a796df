import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { ServiceUnavailable } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit.ts'
import { costOf, type LimitStates, spend } from '../../domain/limits.ts'
import { unlessConditionFails } from './conditional-write.ts'
import type { Key, Table } from './table.ts'

/** How long the counters of a caller are kept after everything is paid back, in seconds. */
const retentionSeconds = 24 * 3600

/** What a request spends of one limit. */
export interface Spending {
  limit: Limit
  amount: number
}

/** The states of these limits in an item of counters, which has an attribute for each limit (D47). */
export function statesIn(
  item: Readonly<Record<string, unknown>> | undefined,
  limits: readonly Limit[],
): LimitStates {
  const states = limits.flatMap(({ name }) =>
    typeof item?.[name] === 'number' ? [[name, item[name]]] : [],
  )
  return Object.fromEntries(states)
}

/**
 * Adds what a request spends to the counters of a caller: one write, and a second one if another request
 * was counted since `states` were read. Fails for no request: when DynamoDB is unavailable, the request is
 * not counted (D47).
 */
export async function countSpending(
  table: Table,
  key: Key,
  spendings: readonly Spending[],
  states: LimitStates,
  now: number,
): Promise<void> {
  const write = (isAdded: (spending: Spending) => boolean) =>
    unlessConditionFails(table.client.send(counting(table, key, spendings, states, now, isAdded)))
  try {
    const isCounted = await write(({ limit }) => (states[limit.name] ?? 0) > now)
    if (!isCounted) await write(() => true)
  } catch (error) {
    if (!(error instanceof ServiceUnavailable)) throw error
  }
}

/**
 * The write of {@link countSpending}. ADD is exact whatever other requests do, but would count from a time in
 * the past. So a state in the past is replaced, on condition that it is still the state that was read.
 */
function counting(
  { name: TableName }: Table,
  Key: Key,
  spendings: readonly Spending[],
  states: LimitStates,
  now: number,
  isAdded: (spending: Spending) => boolean,
): UpdateCommand {
  const names: Record<string, string> = { '#expiresAt': 'expiresAt' }
  const values: Record<string, number> = {}
  const [set, add, conditions]: [string[], string[], string[]] = [
    ['#expiresAt = :expiresAt'],
    [],
    [],
  ]
  let last = now
  for (const [index, spending] of spendings.entries()) {
    const { limit, amount } = spending
    const state = states[limit.name]
    const next = spend(limit, state, amount, now)
    last = Math.max(last, next)
    names[`#${index}`] = limit.name
    if (isAdded(spending)) {
      add.push(`#${index} :${index}`)
      values[`:${index}`] = costOf(limit, amount)
    } else {
      set.push(`#${index} = :${index}`)
      values[`:${index}`] = next
      conditions.push(
        state === undefined ? `attribute_not_exists(#${index})` : `#${index} = :read${index}`,
      )
      if (state !== undefined) values[`:read${index}`] = state
    }
  }
  values[':expiresAt'] = Math.ceil(last / 1_000_000) + retentionSeconds
  return new UpdateCommand({
    TableName,
    Key,
    UpdateExpression: `SET ${set.join(', ')}${add.length > 0 ? ` ADD ${add.join(', ')}` : ''}`,
    ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  })
}
