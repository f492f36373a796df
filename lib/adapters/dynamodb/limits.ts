import { unlessUnavailable } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit/limit.ts'
import {
  type ConditionalSpending,
  costOf,
  type LimitStates,
  spend,
} from '../../domain/limit/limits.ts'
import { type FieldCondition, type FieldUpdate, updateItem } from './item-writes.ts'
import type { Key } from './keys/key.ts'
import type { Table } from './table.ts'

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

/** The update of these attributes that spends only what is left: their changes, and the conditions of the changes. */
export function spendingUpdate(
  changes: Readonly<Record<string, ConditionalSpending>>,
): Required<Pick<FieldUpdate, 'set' | 'add' | 'conditions'>> {
  const set: Record<string, number> = {}
  const add: Record<string, number> = {}
  const conditions = Object.entries(changes).map(([name, change]): FieldCondition => {
    if ('add' in change) {
      add[name] = change.add
      return [name, '<=', change.upTo]
    }
    set[name] = change.next
    return [name, 'absent or <=', change.upTo]
  })
  return { set, add, conditions }
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
  options: CountingOptions = {},
): Promise<void> {
  const write = (isAdded: (spending: Spending) => boolean) =>
    updateItem(table, key, counting(spendings, states, now, isAdded, options))
  const first = write(({ limit }) => (states[limit.name] ?? 0) > now)
  await first.then((isCounted) => isCounted || write(() => true)).catch(unlessUnavailable)
}

/** What is counted besides the spendings, and whether the item is kept without an end. */
export interface CountingOptions {
  totals?: Readonly<Record<string, number>>
  isKept?: boolean
}

/**
 * The write of {@link countSpending}. ADD is exact whatever other requests do, but would count from a time in
 * the past. So a state in the past is replaced, on condition that it is still the state that was read.
 */
function counting(
  spendings: readonly Spending[],
  states: LimitStates,
  now: number,
  isAdded: (spending: Spending) => boolean,
  { totals = {}, isKept = false }: CountingOptions,
): FieldUpdate {
  const next = ({ limit, amount }: Spending) => spend(limit, states[limit.name], amount, now)
  const replaced = spendings.filter((spending) => !isAdded(spending))
  const entries = (some: readonly Spending[], valueOfOne: (spending: Spending) => number) =>
    Object.fromEntries(some.map((spending) => [spending.limit.name, valueOfOne(spending)]))
  const expiresAt = Math.ceil(Math.max(now, ...spendings.map(next)) / 1_000_000) + retentionSeconds
  return {
    set: { ...entries(replaced, next), ...(!isKept && { expiresAt }) },
    add: {
      ...entries(spendings.filter(isAdded), ({ limit, amount }) => costOf(limit, amount)),
      ...totals,
    },
    conditions: replaced.map(({ limit: { name } }) => {
      const state = states[name]
      return state === undefined ? ([name, 'absent'] as const) : ([name, '=', state] as const)
    }),
  }
}
