import { createHash } from 'node:crypto'
import {
  type Limit,
  limitsByNetwork,
  type SignInLimitName,
  type SignInLimits,
} from '../../domain/limit/limit.ts'
import type { SignInUse } from '../../domain/ports/limits.ts'
import { type ExactSpending, giveBack, readPermitted, spendExactly } from './exact-limits.ts'
import type { Key } from './keys/key.ts'
import { playerLimitsKey } from './keys/player-partition.ts'
import { networkLimitsKey, signInLimitsKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/** What is spent of the counters in one item. */
type Spending = ExactSpending & { key: Key }

/** The use of sign-in in the table: an item of counters for each network, for each user, and for the deployment (D107). */
export function dynamoSignInUse(table: Table, limits: SignInLimits): SignInUse {
  const those = (...names: SignInLimitName[]): readonly Limit[] =>
    names.flatMap((name) => limits[name] ?? [])
  const ofNetwork = (network: string, ...names: SignInLimitName[]): Spending[] =>
    limitsByNetwork(network, those(...names)).map((each) => {
      return { key: networkKey(each.network), spent: each.limits }
    })
  const ofUser = (userId: number) => {
    return { key: playerLimitsKey(userId), spent: those('device_guesses') }
  }
  const inAll = (...names: SignInLimitName[]) => ({ key: signInLimitsKey, spent: those(...names) })

  /** The same with the states of the counters. A read costs less than a write that its condition refuses. */
  const permitted = (spendings: readonly Spending[]) =>
    Promise.all(
      spendings.map(async ({ key, spent }) => {
        return { key, spent, states: await readPermitted(table, key, spent) }
      }),
    )

  const spend = async (spendings: readonly Spending[]) =>
    spendAll(table, await permitted(spendings))

  return {
    async permit(network, { isKnown }) {
      const spendings = await permitted(
        isKnown
          ? [...ofNetwork(network, 'sign_ins_by_address'), inAll('sign_ins')]
          : [
              ...ofNetwork(network, 'sign_ins_by_address', 'new_wallets_by_address'),
              inAll('sign_ins', 'new_wallets'),
            ],
      )
      return () => spendAll(table, spendings)
    },
    refuse: (network) => spend(ofNetwork(network, 'refused_sign_ins_by_address')),
    async checkAccount(network, account, { isKnown, isForeignPage }) {
      const ofAccount = {
        key: networkKey(`${network} ${account}`),
        spent: those('contract_checks_by_account'),
      }
      const spendings = [
        ...(isForeignPage
          ? ofNetwork(network, 'contract_checks_of_pages_by_address')
          : [ofAccount, ...ofNetwork(network, 'contract_checks_by_address')]),
        isKnown && !isForeignPage
          ? inAll('contract_checks')
          : inAll('contract_checks', 'new_contract_checks'),
      ]
      await spend(spendings)
      return () => giveAllBack(table, spendings)
    },
    askForDevice: (network, { isForeignPage }) =>
      spend(
        isForeignPage
          ? [
              ...ofNetwork(network, 'device_codes_of_pages_by_address'),
              inAll('device_codes', 'device_codes_of_pages'),
            ]
          : [...ofNetwork(network, 'device_codes_by_address'), inAll('device_codes')],
      ),
    guess: (userId) => spend([ofUser(userId)]),
    guessedRight: (userId) => giveBack(table, ofUser(userId).key, ofUser(userId).spent),
    guessedWrong: (network) => spend(ofNetwork(network, 'device_guesses_by_address')),
  }
}

/** Spends all of it, or nothing: if a counter has nothing left, what the others have spent is given back. */
async function spendAll(table: Table, spendings: readonly Spending[]): Promise<void> {
  const results = await Promise.allSettled(
    spendings.map(({ key, ...spending }) => spendExactly(table, key, spending)),
  )
  const refusal = results.find((result) => result.status === 'rejected')
  if (!refusal) return
  const done = spendings.filter((_, index) => results[index]?.status === 'fulfilled')
  await giveAllBack(table, done)
  throw refusal.reason
}

async function giveAllBack(table: Table, spendings: readonly Spending[]): Promise<void> {
  await Promise.all(spendings.map(({ key, spent }) => giveBack(table, key, spent)))
}

const networkKey = (network: string) =>
  networkLimitsKey(createHash('sha256').update(network).digest('base64url').slice(0, 22))
