const usualLimitNames = [
  'registrations',
  'registrations_by_address',
  'player_tokens',
  'player_details',
  'client_reads',
  'indexer_calls_by_minute',
  'indexer_calls_by_day',
  'client_indexer_calls_by_minute',
  'client_indexer_calls_by_day',
  'allowlisted_nfts',
  'nfts',
  'new_keys',
] as const

/** The limits of signing in with wallets (D107). */
export const signInLimitNames = [
  'sign_ins',
  'new_wallets',
  'sign_ins_by_address',
  'new_wallets_by_address',
  'refused_sign_ins_by_address',
  'contract_checks',
  'new_contract_checks',
  'contract_checks_by_account',
  'contract_checks_by_address',
  'contract_checks_of_pages_by_address',
  'device_codes',
  'device_codes_by_address',
  'device_codes_of_pages',
  'device_codes_of_pages_by_address',
  'device_guesses',
  'device_guesses_by_address',
] as const

export type SignInLimitName = (typeof signInLimitNames)[number]

/** The limits of webhooks (D121). */
export const webhookLimitNames = [
  'webhook_tests',
  'webhook_tests_by_host',
  'webhook_replays',
] as const

/** All limits, as problem details name them (D47). A name is never changed, because programs depend on it. */
export const limitNames = [...usualLimitNames, ...webhookLimitNames, ...signInLimitNames] as const

export type LimitName = (typeof limitNames)[number]

/** A limit of the use of the service by one caller: `count` in `perSeconds` (D47). */
export interface Limit {
  readonly name: LimitName
  readonly count: number
  readonly perSeconds: number
}

/** Limits of signing in with wallets; an absent one does not apply. */
export type SignInLimits = Readonly<Partial<Record<SignInLimitName, Limit>>>

/** A limit as problem details show it. A limit of a total has no period. */
export type ShownLimit = Omit<Limit, 'perSeconds'> & { readonly perSeconds?: number }

/** How many times the limits of a `/64` a `/48` has. */
const widerShare = 10

const narrow = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/

/**
 * Whose limits a caller spends (D54): of its network, and ten times as many of the `/48` around a `/64` of IPv6 (D140).
 */
export function limitsByNetwork(network: string, limits: readonly Limit[]) {
  const [, groups] = narrow.exec(network) ?? []
  if (groups === undefined) return [{ network, limits }]
  const wider = limits.map((limit) => ({ ...limit, count: limit.count * widerShare }))
  return [
    { network, limits },
    { network: `${groups}:/48`, limits: wider },
  ]
}
