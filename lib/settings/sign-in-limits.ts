import type { Limit, SignInLimits } from '../domain/limit/limit.ts'
import { limitOf, limitSetting, perHour } from './limits.ts'
import { part } from './part.ts'

// The limits of signing in with wallets (D107), apart from the others: a bundle contains every row of a file of which it reads one.

/** The count of a limit. Without the setting, the limit does not apply. */
// @__NO_SIDE_EFFECTS__
const signInLimitSetting = <const Name extends string>(inDeployment: Name, meaning: string) => ({
  ...limitSetting(inDeployment, meaning),
  meaning: `with \`walletSignIn\`, ${meaning} (D107)`,
})

export const SIGN_INS_PER_HOUR = signInLimitSetting(
  'signInsPerHour',
  'the sign-ins with wallets, and the changes of wallets, in an hour; a half of them can be of wallets that nobody has',
)

export const SIGN_INS_PER_ADDRESS_AND_HOUR = signInLimitSetting(
  'signInsPerAddressAndHour',
  'the sign-ins and changes of wallets in an hour for one source address, or for a network `/64` of IPv6; a half of them can be of wallets that nobody has; a `/48` has ten times as many',
)

export const REFUSED_SIGN_INS_PER_ADDRESS_AND_HOUR = signInLimitSetting(
  'refusedSignInsPerAddressAndHour',
  'the signed messages that are refused with their reason in an hour, for one source address, or for a network `/64` of IPv6; a `/48` has ten times as many',
)

export const CONTRACT_CHECKS_PER_HOUR = signInLimitSetting(
  'contractChecksPerHour',
  'the signatures about which smart accounts are asked in an hour and that they do not accept; a half of them can be of accounts that have not signed in before, or of web pages of others',
)

export const CONTRACT_CHECKS_PER_ADDRESS_AND_HOUR = signInLimitSetting(
  'contractChecksPerAddressAndHour',
  'the same for one source address, or for a network `/64` of IPv6, and as many more for web pages of others; a `/48` has ten times as many',
)

export const CONTRACT_CHECKS_PER_ACCOUNT_AND_HOUR = signInLimitSetting(
  'contractChecksPerAccountAndHour',
  'the same for one smart account from one source address, or from a network `/64` of IPv6',
)

export const DEVICE_CODES_PER_HOUR = signInLimitSetting(
  'deviceCodesPerHour',
  'the codes for signing in on devices that games can ask for in an hour; web pages of others can ask for a half of them',
)

export const DEVICE_CODES_PER_ADDRESS_AND_HOUR = signInLimitSetting(
  'deviceCodesPerAddressAndHour',
  'the codes in an hour for one source address, or for a network `/64` of IPv6, and as many more for web pages of others; a `/48` has ten times as many',
)

export const DEVICE_GUESSES_PER_HOUR = signInLimitSetting(
  'deviceGuessesPerHour',
  'the wrong codes that a user can enter in an hour; all users of a source address, or of a network `/64` of IPv6, 20 times as many, and of a `/48` 200 times',
)

/** The share of a limit for strangers: for wallets and accounts that nobody has, and for foreign pages (D107, D140). */
const ofStrangers = (count: number | undefined): number | undefined => count && Math.ceil(count / 2)

/** How many times the wrong codes of one user all users of a network can enter (D140). */
const guessersOfNetwork = 20

/** The limits of the messages that wallets have signed (D107). */
export const proofLimits = part(
  { SIGN_INS_PER_HOUR, SIGN_INS_PER_ADDRESS_AND_HOUR, REFUSED_SIGN_INS_PER_ADDRESS_AND_HOUR },
  (env): SignInLimits => {
    const { SIGN_INS_PER_HOUR: inAll, SIGN_INS_PER_ADDRESS_AND_HOUR: byAddress } = env
    return limitsByName([
      limitOf('sign_ins', inAll, perHour),
      limitOf('new_wallets', ofStrangers(inAll), perHour),
      limitOf('sign_ins_by_address', byAddress, perHour),
      limitOf('new_wallets_by_address', ofStrangers(byAddress), perHour),
      limitOf('refused_sign_ins_by_address', env.REFUSED_SIGN_INS_PER_ADDRESS_AND_HOUR, perHour),
    ])
  },
)

/** The limits of asking smart accounts about signatures. */
export const contractCheckLimits = part(
  {
    CONTRACT_CHECKS_PER_HOUR,
    CONTRACT_CHECKS_PER_ADDRESS_AND_HOUR,
    CONTRACT_CHECKS_PER_ACCOUNT_AND_HOUR,
  },
  (env): SignInLimits => {
    const { CONTRACT_CHECKS_PER_HOUR: inAll, CONTRACT_CHECKS_PER_ADDRESS_AND_HOUR: byAddress } = env
    return limitsByName([
      limitOf('contract_checks', inAll, perHour),
      limitOf('new_contract_checks', ofStrangers(inAll), perHour),
      limitOf('contract_checks_by_account', env.CONTRACT_CHECKS_PER_ACCOUNT_AND_HOUR, perHour),
      limitOf('contract_checks_by_address', byAddress, perHour),
      limitOf('contract_checks_of_pages_by_address', byAddress, perHour),
    ])
  },
)

/** The limits of the codes that games on devices ask for (D107). */
export const deviceCodeLimits = part(
  { DEVICE_CODES_PER_HOUR, DEVICE_CODES_PER_ADDRESS_AND_HOUR },
  ({ DEVICE_CODES_PER_HOUR: inAll, DEVICE_CODES_PER_ADDRESS_AND_HOUR: byAddress }): SignInLimits =>
    limitsByName([
      limitOf('device_codes', inAll, perHour),
      limitOf('device_codes_of_pages', ofStrangers(inAll), perHour),
      limitOf('device_codes_by_address', byAddress, perHour),
      limitOf('device_codes_of_pages_by_address', byAddress, perHour),
    ]),
)

/** The limits of the codes that people enter (D107). */
export const deviceGuessLimits = part(
  { DEVICE_GUESSES_PER_HOUR },
  ({ DEVICE_GUESSES_PER_HOUR: count }): SignInLimits =>
    limitsByName([
      limitOf('device_guesses', count, perHour),
      limitOf('device_guesses_by_address', count && count * guessersOfNetwork, perHour),
    ]),
)

const limitsByName = (limits: readonly (Limit | undefined)[]): SignInLimits =>
  Object.fromEntries(limits.flatMap((limit) => (limit ? [[limit.name, limit]] : [])))
