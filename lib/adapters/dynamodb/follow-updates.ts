import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import type { ContractChange, FollowPosition } from '../../domain/ports/follow-notes.ts'
import { movementRetentionSeconds } from './follow-items.ts'

/** An update of an item under a condition. */
export type Update = Pick<
  UpdateCommandInput,
  | 'UpdateExpression'
  | 'ConditionExpression'
  | 'ExpressionAttributeNames'
  | 'ExpressionAttributeValues'
>

/** How long a position is kept after its last write, in seconds. A position that is as old is not used any more. */
const positionRetentionSeconds = 86_400

/** Takes or renews the lease, unless another holder has it. */
export const leasing = (holder: string, now: number, milliseconds: number): Update => ({
  UpdateExpression: 'SET holder = :holder, leasedUntil = :until, expiresAt = :expiresAt',
  ConditionExpression:
    'attribute_not_exists(leasedUntil) OR holder = :holder OR leasedUntil <= :now',
  ExpressionAttributeValues: {
    ':holder': holder,
    ':until': now + milliseconds,
    ':now': now,
    ':expiresAt': Math.ceil(now / 1_000) + positionRetentionSeconds,
  },
})

/** Ends the lease, whoever holds it. */
export const endingLease: Pick<Update, 'UpdateExpression'> = {
  UpdateExpression: 'REMOVE holder, leasedUntil',
}

/** Replaces the position `from`, while the holder has the lease. */
export function moving(
  holder: string,
  { head, confirmedUpTo, distrustedBefore, overlap, step, log, settling }: FollowPosition,
  from: FollowPosition | undefined,
): Update {
  const set = ['head = :head', 'confirmedUpTo = :confirmed', 'distrustedBefore = :distrusted']
  set.push('#overlap = :overlap', '#step = :step')
  const removed: string[] = []
  if (log) set.push('#log = :log')
  else removed.push('#log')
  if (settling) set.push('settling = :settling')
  else removed.push('settling')
  return {
    UpdateExpression: `SET ${set.join(', ')}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}`,
    // A write whose response was lost must not replace a later position when it arrives late.
    ConditionExpression: `holder = :holder${from ? ' AND #step = :from' : ''}`,
    ExpressionAttributeNames: { '#overlap': 'overlap', '#step': 'step', '#log': 'log' },
    ExpressionAttributeValues: {
      ':holder': holder,
      ':head': head,
      ':confirmed': confirmedUpTo,
      ':distrusted': distrustedBefore,
      ':overlap': overlap,
      ':step': step,
      ...(log && { ':log': { ...log, step } }),
      ...(settling && { ':settling': { ...settling, step } }),
      ...(from && { ':from': from.step }),
    },
  }
}

/** The latest movement, unless a later one is noted. */
export const raisingMovement = ({ block, at }: { block: number; at: number }): Update => ({
  UpdateExpression: 'SET #block = :block, #at = :at, expiresAt = :expiresAt',
  ConditionExpression: 'attribute_not_exists(#at) OR #at < :at',
  ExpressionAttributeNames: { '#block': 'block', '#at': 'at' },
  ExpressionAttributeValues: {
    ':block': block,
    ':at': at,
    ':expiresAt': Math.ceil(at / 1_000) + movementRetentionSeconds,
  },
})

/** The latest metadata event of a contract, unless a later one is noted. */
export const raisingMetadata = (at: number): Update => ({
  UpdateExpression: 'SET metadataChangedAt = :at',
  // An item without a lease would have no end.
  ConditionExpression:
    'attribute_exists(leasedUntil) AND (attribute_not_exists(metadataChangedAt) OR metadataChangedAt < :at)',
  ExpressionAttributeValues: { ':at': at },
})

/** The change of a contract that is still as it was read. */
export function changing({ from, ...to }: ContractChange): Update {
  const { since, suspendedUntil, refusedUntil, isLogged } = to
  const after = Object.entries({ since, suspendedUntil, refusedUntil, isLogged })
  const set = after.filter(([, value]) => value !== undefined)
  const removed = after.filter(([, value]) => value === undefined)
  const read = {
    leasedUntil: from.leasedUntil || undefined,
    'since.#number': from.since?.number,
    suspendedUntil: from.suspendedUntil,
    isLogged: from.isLogged,
  }
  const conditions = Object.entries(read).map(([path, value], index) =>
    value === undefined ? `attribute_not_exists(${path})` : `${path} = :read${index}`,
  )
  const values = [
    ...set.map(([name, value]) => [`:${name}`, value]),
    ...Object.values(read).map((value, index) => [`:read${index}`, value]),
  ]
  return {
    UpdateExpression: [
      ...(set.length > 0 ? [`SET ${set.map(([name]) => `${name} = :${name}`).join(', ')}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => name).join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: { '#number': 'number' },
    ExpressionAttributeValues: Object.fromEntries(
      values.filter(([, value]) => value !== undefined),
    ),
  }
}
