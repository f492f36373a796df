import { ServiceUnavailable } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit/limit.ts'
import {
  costOf,
  type LimitStates,
  limitClock,
  permit,
  spendIfLeft,
} from '../../domain/limit/limits.ts'
import { getItem } from './item-reads.ts'
import { type FieldCondition, type FieldUpdate, updateItem } from './item-writes.ts'
import type { Key } from './keys/key.ts'
import { spendingUpdate } from './limits.ts'
import type { Table } from './table.ts'

const retentionSeconds = 24 * 3600

const attempts = 8

/** What a request spends of the limits of a caller. */
export interface ExactSpending {
  spent: readonly Limit[]
  states?: LimitStates
}

const nameOf = ({ name }: Limit): string => name

/**
 * Spends a unit of each of these limits, exactly, whatever other requests spend at the same time. Throws RateLimited, and spends
 * nothing, if one has nothing left. The item has an attribute for each limit; with a condition, it has others too, and no end.
 */
export async function spendExactly(
  table: Table,
  Key: Key,
  { spent, states: known = {} }: ExactSpending,
  {
    attributeOf = nameOf,
    condition,
  }: { condition?: FieldCondition; attributeOf?: typeof nameOf } = {},
): Promise<void> {
  if (spent.length === 0) return
  let states = known
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await updateItem(table, Key, updateAt(limitClock()))) return
    states = await readStates(table, Key, spent, attributeOf)
  }
  throw new ServiceUnavailable('a limit was spent over and over')

  function updateAt(now: number): FieldUpdate {
    permit(spent, states, now)
    const changes = spent.map((limit) => {
      return [attributeOf(limit), spendIfLeft(limit, states[limit.name], 1, now)]
    })
    const { set, add, conditions } = spendingUpdate(Object.fromEntries(changes))
    const longest = Math.max(...spent.map(({ perSeconds }) => perSeconds))
    const expiresAt = Math.ceil(now / 1_000_000) + longest + retentionSeconds
    return {
      set: { ...set, ...(!condition && { expiresAt }) },
      add,
      conditions: [...conditions, ...(condition ? [condition] : [])],
    }
  }
}

/** The states of these limits. Throws RateLimited if one of them has nothing left. */
export async function readPermitted(
  table: Table,
  Key: Key,
  limits: readonly Limit[],
): Promise<LimitStates> {
  if (limits.length === 0) return {}
  const states = await readStates(table, Key, limits, nameOf)
  permit(limits, states, limitClock())
  return states
}

async function readStates(
  table: Table,
  key: Key,
  limits: readonly Limit[],
  attributeOf: typeof nameOf,
): Promise<LimitStates> {
  const item = (await getItem(table, key)) ?? {}
  return Object.fromEntries(limits.map((limit) => [limit.name, item[attributeOf(limit)]]))
}

/** Gives a unit of each of these limits back that was just spent. */
export async function giveBack(table: Table, key: Key, limits: readonly Limit[]): Promise<void> {
  if (limits.length === 0) return
  const add = Object.fromEntries(limits.map((limit) => [limit.name, -costOf(limit, 1)]))
  await updateItem(table, key, { add })
}
