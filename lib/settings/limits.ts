import type { Limit, LimitName } from '../domain/limit/limit.ts'
import { wholeNumber } from './forms.ts'
import { part } from './part.ts'
import type { Setting } from './setting.ts'

const limitCount = wholeNumber(1, 10_000_000)

/** The count of a limit. Without the setting, the limit does not apply (D47). */
// @__NO_SIDE_EFFECTS__
export const limitSetting = <const Name extends string>(inDeployment: Name, meaning: string) => ({
  meaning: `${meaning} (D47)`,
  form: limitCount,
  optional: true as const,
  inDeployment,
})

export const REGISTRATIONS_PER_HOUR = limitSetting(
  'registrationsPerHour',
  'the products that can be registered in an hour',
)

export const REGISTRATIONS_PER_ADDRESS_AND_HOUR = limitSetting(
  'registrationsPerAddressAndHour',
  'the same for one source address, or for a network `/64` of IPv6; a `/48` has ten times as many',
)

export const PLAYER_TOKENS_PER_USER_AND_HOUR = limitSetting(
  'playerTokensPerUserAndHour',
  'the player tokens that a user can get in an hour',
)

export const PLAYER_DETAILS_PER_PLAYER_AND_MINUTE = limitSetting(
  'playerDetailsPerPlayerAndMinute',
  'the requests for the details of a player in a minute',
)

export const CLIENT_READS_PER_PLAYER_AND_MINUTE = limitSetting(
  'clientReadsPerPlayerAndMinute',
  "the requests of games without an API key for a player's NFTs in a minute",
)

export const INDEXER_CALLS_PER_PRODUCT_AND_MINUTE = limitSetting(
  'indexerCallsPerProductAndMinute',
  'the calls to the indexer that a product can cause in a minute',
)

export const INDEXER_CALLS_PER_PRODUCT_AND_DAY = limitSetting(
  'indexerCallsPerProductAndDay',
  'the calls to the indexer that a product can cause in a day',
)

export const CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE = limitSetting(
  'clientIndexerCallsPerProductAndMinute',
  'the calls to the indexer that games without an API key can cause for a product in a minute',
)

export const CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY = limitSetting(
  'clientIndexerCallsPerProductAndDay',
  'the calls to the indexer that games without an API key can cause for a product in a day',
)

export const ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE = limitSetting(
  'allowlistedNftsPerProductAndMinute',
  'the token identifiers that a product can allowlist in a minute',
)

export const NFTS_PER_PRODUCT = limitSetting(
  'nftsPerProduct',
  'the NFTs on all allowlists of a product together',
)

export const NEW_KEYS_PER_PRODUCT_AND_DAY = limitSetting(
  'newKeysPerProductAndDay',
  'the API keys that a product can create in a day, also by rotating keys',
)

export const REFRESHED_NFTS = limitSetting('refreshedNfts', 'the NFTs that one refresh checks')

export const USAGE_DELAY_SECONDS = {
  meaning:
    'the seconds for which a container keeps counts of usage, before its next request writes them (D55)',
  form: wholeNumber(0, 3_600),
  default: 30,
  optional: true,
  inDeployment: 'usageDelaySeconds',
} as const satisfies Setting

const perMinute = 60

export const perHour = 3_600

const perDay = 86_400

/** A limit with this count, or `undefined` without a count. */
export const limitOf = (
  name: LimitName,
  count: number | undefined,
  perSeconds: number,
): Limit | undefined => (count === undefined ? undefined : { name, count, perSeconds })

/** Those of these limits that apply. */
export const present = (...limits: (Limit | undefined)[]): readonly Limit[] =>
  limits.filter((limit) => limit !== undefined)

/** The limits of registrations, in all and by source address (D47). */
export const registrationLimits = part(
  { REGISTRATIONS_PER_HOUR, REGISTRATIONS_PER_ADDRESS_AND_HOUR },
  (env) => ({
    inAll: limitOf('registrations', env.REGISTRATIONS_PER_HOUR, perHour),
    byAddress: limitOf('registrations_by_address', env.REGISTRATIONS_PER_ADDRESS_AND_HOUR, perHour),
  }),
)

/** The limit of the player tokens of a user (D47). */
export const playerTokenLimit = part({ PLAYER_TOKENS_PER_USER_AND_HOUR }, (env) =>
  limitOf('player_tokens', env.PLAYER_TOKENS_PER_USER_AND_HOUR, perHour),
)

/** The limits of a player at the player details (D47). */
export const playerDetailsLimits = part({ PLAYER_DETAILS_PER_PLAYER_AND_MINUTE }, (env) =>
  present(limitOf('player_details', env.PLAYER_DETAILS_PER_PLAYER_AND_MINUTE, perMinute)),
)

/** The limits of a player at games without an API key (D47, D51). */
export const clientReadLimits = part({ CLIENT_READS_PER_PLAYER_AND_MINUTE }, (env) =>
  present(limitOf('client_reads', env.CLIENT_READS_PER_PLAYER_AND_MINUTE, perMinute)),
)

/** The limits of the indexer calls of a product (D47). */
export const indexerLimits = part(
  { INDEXER_CALLS_PER_PRODUCT_AND_MINUTE, INDEXER_CALLS_PER_PRODUCT_AND_DAY },
  (env) => ({
    indexer: present(
      limitOf('indexer_calls_by_minute', env.INDEXER_CALLS_PER_PRODUCT_AND_MINUTE, perMinute),
      limitOf('indexer_calls_by_day', env.INDEXER_CALLS_PER_PRODUCT_AND_DAY, perDay),
    ),
  }),
)

/** The limits of the indexer calls of a product that its games cause without an API key (D47, D51). */
export const clientIndexerLimits = part(
  { CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE, CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY },
  (env) => ({
    clientIndexer: present(
      limitOf(
        'client_indexer_calls_by_minute',
        env.CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE,
        perMinute,
      ),
      limitOf('client_indexer_calls_by_day', env.CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY, perDay),
    ),
  }),
)

/** The limits of allowlisting (D47). `maxNfts`: the NFTs on all allowlists of a product. */
export const allowlistingLimits = part(
  { ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE, NFTS_PER_PRODUCT },
  (env) => ({
    allowlisting: present(
      limitOf('allowlisted_nfts', env.ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE, perMinute),
    ),
    maxNfts: env.NFTS_PER_PRODUCT,
  }),
)

/** The limit of the new keys of a product (D47). */
export const newKeyLimits = part({ NEW_KEYS_PER_PRODUCT_AND_DAY }, (env) => ({
  requests: present(limitOf('new_keys', env.NEW_KEYS_PER_PRODUCT_AND_DAY, perDay)),
}))

/** The maximum number of NFTs that one refresh checks (D47). */
export const refreshSettings = part({ REFRESHED_NFTS }, (env) => ({
  maxNftsPerRefresh: env.REFRESHED_NFTS,
}))

/** The time for which a container keeps counts of usage (D55). */
export const usageSettings = part({ USAGE_DELAY_SECONDS }, (env) => ({
  delaySeconds: env.USAGE_DELAY_SECONDS,
}))
