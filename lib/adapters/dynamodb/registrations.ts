import { createHash } from 'node:crypto'
import { RateLimited, unlessUnavailable } from '../../domain/failures.ts'
import { type Limit, limitsByNetwork } from '../../domain/limit/limit.ts'
import { recentlyUsed } from '../recently-used.ts'
import { getItem } from './item-reads.ts'
import { type FieldCondition, updateItem } from './item-writes.ts'
import { registrationsKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

const hourMilliseconds = 3_600_000

const retentionSeconds = 24 * 3600

/**
 * The registrations of each hour in one item of the table: a counter of all, and one for each network (D140),
 * under a digest. One conditional write counts and judges, so the limits are exact (D47); an absent limit does not apply.
 * A refusal holds until the end of the hour, so a container remembers it and asks the table no more.
 */
export function dynamoRegistrations(
  table: Table,
  { inAll, byAddress }: Record<'inAll' | 'byAddress', Limit | undefined>,
) {
  const refusals = recentlyUsed<string, true>(10_000)

  return {
    /** Counts a registration from this source address before it begins. Throws RateLimited. */
    async count(sourceAddress: string): Promise<void> {
      if (!inAll && !byAddress) return
      const now = Date.now()
      const hour = Math.floor(now / hourMilliseconds)
      const counters = [
        ...limitsByNetwork(sourceAddress, byAddress ? [byAddress] : []).map(
          ({ network, limits: [limit] }) => ({ name: digestOf(network), limit }),
        ),
        { name: 'all', limit: inAll },
      ]
      const exhausted = counters.find(({ name }) => refusals.get(`${hour} ${name}`))
      // An unavailable table refuses nobody.
      const refused = exhausted ?? (await refusal(hour, counters).catch(unlessUnavailable))
      const { name, limit } = refused ?? {}
      if (name === undefined || !limit) return
      refusals.set(`${hour} ${name}`, true)
      const wait = Math.ceil(((hour + 1) * hourMilliseconds - now) / 1000)
      throw new RateLimited(limit, Math.max(1, wait))
    },
  }

  /** Counts a registration, or returns the counter that refuses it. */
  async function refusal(hour: number, counters: readonly Counter[]): Promise<Counter | undefined> {
    const key = registrationsKey(hour)
    const update = {
      set: { expiresAt: ((hour + 1) * hourMilliseconds) / 1000 + retentionSeconds },
      add: Object.fromEntries(counters.map(({ name }) => [name, 1])),
      conditions: counters.flatMap(({ name, limit }): FieldCondition[] =>
        limit ? [[name, 'absent or <', limit.count]] : [],
      ),
    }
    if (await updateItem(table, key, update)) return undefined
    const item = (await getItem(table, key)) ?? {}
    // That of an address comes before that of all.
    return counters.find(({ name, limit }) => limit && Number(item[name] ?? 0) >= limit.count)
  }
}

interface Counter {
  name: string
  limit: Limit | undefined
}

/** A name that is short, because all names of an hour are in one item. */
const digestOf = (address: string): string =>
  createHash('sha256').update(address).digest('base64url').slice(0, 12)
