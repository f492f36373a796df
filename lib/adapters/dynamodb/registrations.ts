import { createHash } from 'node:crypto'
import { RateLimited, ServiceUnavailable } from '../../domain/failures.ts'
import type { Limit } from '../../domain/limit/limit.ts'
import type { Registrations } from '../../domain/ports/limits.ts'
import { GetCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { registrationsKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/** The limits of the registrations of an hour; an absent limit does not apply. */
export interface RegistrationLimits {
  inAll: Limit | undefined
  byAddress: Limit | undefined
}

const hourMilliseconds = 3_600_000

/** How long the counters of an hour are kept after its end, in seconds. */
const retentionSeconds = 24 * 3600

/** The maximum number of remembered refusals. */
const memorySize = 10_000

/**
 * The registrations of each hour in one item of the table: a counter of all, and one for each source
 * address, under a digest. One conditional write counts and judges, so the limits are exact (D47).
 * A refusal holds until the end of the hour, so a container remembers it and asks the table no more.
 */
export function dynamoRegistrations(
  { client, name: TableName }: Table,
  { inAll, byAddress }: RegistrationLimits,
): Registrations {
  const refused = new Map<string, Limit>()

  return {
    async count(sourceAddress) {
      if (!inAll && !byAddress) return
      const now = Date.now()
      const hour = Math.floor(now / hourMilliseconds)
      const address = digestOf(sourceAddress)
      const limit = known(hour, address) ?? (await refusal(hour, address))
      if (!limit) return
      remember(`${hour} ${limit === inAll ? '' : address}`, limit)
      const wait = Math.ceil(((hour + 1) * hourMilliseconds - now) / 1000)
      throw new RateLimited(limit, Math.max(1, wait))
    },
  }

  function known(hour: number, address: string): Limit | undefined {
    return refused.get(`${hour} `) ?? refused.get(`${hour} ${address}`)
  }

  function remember(name: string, limit: Limit): void {
    refused.set(name, limit)
    const [oldest] = refused.keys()
    if (refused.size > memorySize && oldest !== undefined) refused.delete(oldest)
  }

  /** Counts a registration, or returns the limit that refuses it. An unavailable table refuses nobody. */
  async function refusal(hour: number, address: string): Promise<Limit | undefined> {
    try {
      const isCounted = await unlessConditionFails(client.send(counting(hour, address)))
      return isCounted ? undefined : await exhausted(hour, address)
    } catch (error) {
      if (error instanceof ServiceUnavailable) return undefined
      throw error
    }
  }

  function counting(hour: number, address: string) {
    const below = (name: string, count: string) =>
      `(attribute_not_exists(${name}) OR ${name} < ${count})`
    const conditions = [
      ...(inAll ? [below('#all', ':inAll')] : []),
      ...(byAddress ? [below('#address', ':byAddress')] : []),
    ]
    return new UpdateCommand({
      TableName,
      Key: registrationsKey(hour),
      UpdateExpression: 'SET expiresAt = :expiresAt ADD #all :one, #address :one',
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeNames: { '#all': 'all', '#address': address },
      ExpressionAttributeValues: {
        ':one': 1,
        ':expiresAt': ((hour + 1) * hourMilliseconds) / 1000 + retentionSeconds,
        ...(inAll && { ':inAll': inAll.count }),
        ...(byAddress && { ':byAddress': byAddress.count }),
      },
    })
  }

  /** The limit that is exhausted: that of the address if both are. */
  async function exhausted(hour: number, address: string): Promise<Limit | undefined> {
    const { Item = {} } = await client.send(
      new GetCommand({
        TableName,
        Key: registrationsKey(hour),
        ProjectionExpression: '#address',
        ExpressionAttributeNames: { '#address': address },
        ConsistentRead: true,
      }),
    )
    const isOfAddress = byAddress && Number(Item[address] ?? 0) >= byAddress.count
    return isOfAddress ? byAddress : inAll
  }
}

/** A name that is short, because all names of an hour are in one item. */
const digestOf = (address: string): string =>
  createHash('sha256').update(address).digest('base64url').slice(0, 12)
