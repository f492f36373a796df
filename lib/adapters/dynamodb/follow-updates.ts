import type { ContractChange, FollowPosition } from '../../domain/ports/follow-notes.ts'
import type { FieldCondition, FieldUpdate } from './item-writes.ts'

/** How long a position is kept after its last write, in seconds. A position that is as old is not used any more. */
const positionRetentionSeconds = 86_400

const positionEnd = (now: number): number => Math.ceil(now / 1_000) + positionRetentionSeconds

/** Takes or renews the lease, unless another holder has it. */
export const leasing = (holder: string, now: number, milliseconds: number): FieldUpdate => ({
  set: { holder, leasedUntil: now + milliseconds, expiresAt: positionEnd(now) },
  conditions: [['leasedUntil', 'absent or <=', now]],
  or: ['holder', '=', holder],
})

export const endingLease = (holder: string): FieldUpdate => ({
  remove: ['holder', 'leasedUntil'],
  conditions: [['holder', '=', holder]],
})

/** Replaces the position `from`, while the holder has the lease. */
export const moving = (
  holder: string,
  { head, confirmedUpTo, blocks, step, ...parts }: FollowPosition,
  from: FollowPosition | undefined,
): FieldUpdate => ({
  set: { head, confirmedUpTo, blocks, step, ...parts },
  remove: (['log', 'settling'] as const).filter((name) => parts[name] === undefined),
  conditions: [
    ['holder', '=', holder],
    // A write whose response was lost must not replace a later position when it arrives late.
    ...(from ? [['step', '=', from.step] as const] : []),
  ],
})

/**
 * Shows readers a position, unless they see a later one. One of a lower step is later if it confirms more: the chain is followed anew, and
 * its steps are counted from 1 again.
 */
export const showing = (
  { step, confirmedUpTo }: Pick<FollowPosition, 'step' | 'confirmedUpTo'>,
  now: number,
): FieldUpdate => ({
  set: { step, confirmedUpTo, expiresAt: positionEnd(now) },
  conditions: [['step', 'absent or <=', step - 1]],
  or: ['confirmedUpTo', '<=', confirmedUpTo - 1],
})

/** The change of a contract that is still as it was read. */
export function changing({ from, ...to }: ContractChange): FieldUpdate {
  const after = Object.entries({
    suspendedUntil: to.suspendedUntil,
    refusedUntil: to.refusedUntil,
    isLogged: to.isLogged,
  })
  const isSet = ([, value]: (typeof after)[number]) => value !== undefined
  const asRead = (name: 'suspendedUntil' | 'isLogged'): FieldCondition =>
    from[name] === undefined ? [name, 'absent'] : [name, '=', from[name]]
  return {
    set: Object.fromEntries(after.filter(isSet)),
    remove: after.filter((each) => !isSet(each)).map(([name]) => name),
    // Without its watch, an item that was deleted meanwhile would come back without an end.
    conditions: [asRead('suspendedUntil'), asRead('isLogged'), ['watchedUntil', '>', 0]],
  }
}
