import { createHash } from 'node:crypto'
import type { Limit, SignInLimitName, SignInLimits } from '../../domain/limit/limit.ts'
import type { SignInUse } from '../../domain/ports/sign-in-use.ts'
import { type ExactSpending, giveBack, spendExactly } from './exact-limits.ts'
import { playerLimitsKey } from './keys/player-partition.ts'
import { networkLimitsKey, signInLimitsKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/** The use of sign-in in the table: an item of counters for each network, for each user, and for the deployment (D107). */
export function dynamoSignInUse(table: Table, limits: SignInLimits): SignInUse {
  const those = (...names: SignInLimitName[]): readonly Limit[] =>
    names.flatMap((name) => limits[name] ?? [])
  const spendIn = (network: string, spending: ExactSpending) =>
    spendExactly(table, networkKey(network), spending)

  return {
    try: (network) =>
      spendIn(network, {
        spent: those('sign_ins_by_address'),
        judged: those('refused_sign_ins_by_address'),
      }),
    refuse: (network) => spendIn(network, { spent: those('refused_sign_ins_by_address') }),
    accept: ({ isKnown }) =>
      spendExactly(table, signInLimitsKey, {
        spent: isKnown ? those('sign_ins') : those('sign_ins', 'new_wallets'),
      }),
    async askForDevice(network) {
      await spendIn(network, { spent: those('device_codes_by_address') })
      await spendExactly(table, signInLimitsKey, { spent: those('device_codes') })
    },
    async guess(userId, network) {
      await spendIn(network, { spent: those('device_guesses_by_address') })
      await spendExactly(table, playerLimitsKey(userId), { spent: those('device_guesses') })
    },
    async guessedRight(userId, network) {
      await giveBack(table, networkKey(network), those('device_guesses_by_address'))
      await giveBack(table, playerLimitsKey(userId), those('device_guesses'))
    },
  }
}

const networkKey = (network: string) =>
  networkLimitsKey(createHash('sha256').update(network).digest('base64url').slice(0, 22))
