import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import type { ContractChange, FollowPosition } from '../../domain/ports/follow-notes.ts'
import { type FieldCondition, fieldUpdate } from './field-update.ts'

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
  { head, confirmedUpTo, blocks, step, log, settling }: FollowPosition,
  from: FollowPosition | undefined,
): Update {
  const set = ['head = :head', 'confirmedUpTo = :confirmed', 'blocks = :blocks', '#step = :step']
  const removed: string[] = []
  if (log) set.push('#log = :log')
  else removed.push('#log')
  if (settling) set.push('settling = :settling')
  else removed.push('settling')
  return {
    UpdateExpression: `SET ${set.join(', ')}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}`,
    // A write whose response was lost must not replace a later position when it arrives late.
    ConditionExpression: `holder = :holder${from ? ' AND #step = :from' : ''}`,
    ExpressionAttributeNames: { '#step': 'step', '#log': 'log' },
    ExpressionAttributeValues: {
      ':holder': holder,
      ':head': head,
      ':confirmed': confirmedUpTo,
      ':blocks': blocks,
      ':step': step,
      ...(log && { ':log': { ...log, step } }),
      ...(settling && { ':settling': { ...settling, step } }),
      ...(from && { ':from': from.step }),
    },
  }
}

/**
 * Shows readers a position, unless they see a later one. One of a lower step is later if it confirms more: the chain is followed anew, and
 * its steps are counted from 1 again.
 */
export const showing = (
  { step, confirmedUpTo }: Pick<FollowPosition, 'step' | 'confirmedUpTo'>,
  now: number,
): Update => ({
  UpdateExpression: 'SET #step = :step, confirmedUpTo = :confirmed, expiresAt = :expiresAt',
  ConditionExpression: 'attribute_not_exists(#step) OR #step < :step OR confirmedUpTo < :confirmed',
  ExpressionAttributeNames: { '#step': 'step' },
  ExpressionAttributeValues: {
    ':step': step,
    ':confirmed': confirmedUpTo,
    ':expiresAt': Math.ceil(now / 1_000) + positionRetentionSeconds,
  },
})

/** The change of a contract that is still as it was read. */
export function changing({ from, ...to }: ContractChange): Update {
  const after = Object.entries({
    suspendedUntil: to.suspendedUntil,
    refusedUntil: to.refusedUntil,
    isLogged: to.isLogged,
  })
  const isSet = ([, value]: (typeof after)[number]) => value !== undefined
  const asRead = (name: 'suspendedUntil' | 'isLogged'): FieldCondition =>
    from[name] === undefined ? [name, 'absent'] : [name, '=', from[name]]
  return fieldUpdate({
    set: Object.fromEntries(after.filter(isSet)),
    remove: after.filter((each) => !isSet(each)).map(([name]) => name),
    // Without its watch, an item that was deleted meanwhile would come back without an end.
    conditions: [asRead('suspendedUntil'), asRead('isLogged'), ['watchedUntil', '>', 0]],
  })
}
