import * as v from 'valibot'
import { deploymentSettings, variablesOf } from '../infra/settings/settings.ts'
import {
  ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE,
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY,
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE,
  CLIENT_READS_PER_PLAYER_AND_MINUTE,
  INDEXER_CALLS_PER_PRODUCT_AND_DAY,
  INDEXER_CALLS_PER_PRODUCT_AND_MINUTE,
  NEW_KEYS_PER_PRODUCT_AND_DAY,
  NFTS_PER_PRODUCT,
  PLAYER_DETAILS_PER_PLAYER_AND_MINUTE,
  PLAYER_TOKENS_PER_USER_AND_HOUR,
  REFRESHED_NFTS,
  REGISTRATIONS_PER_ADDRESS_AND_HOUR,
  REGISTRATIONS_PER_HOUR,
} from '../lib/settings/limits.ts'
import { checkVariables } from '../lib/settings/setting.ts'
import {
  DEVICE_CODES_PER_ADDRESS_AND_HOUR,
  DEVICE_CODES_PER_HOUR,
  DEVICE_GUESSES_PER_HOUR,
  REFUSED_SIGN_INS_PER_ADDRESS_AND_HOUR,
  SIGN_INS_PER_ADDRESS_AND_HOUR,
  SIGN_INS_PER_HOUR,
} from '../lib/settings/sign-in-limits.ts'
import {
  WEBHOOK_REPLAYS_PER_HOUR,
  WEBHOOK_TESTS_PER_HOST_AND_HOUR,
  WEBHOOK_TESTS_PER_PRODUCT_AND_HOUR,
} from '../lib/settings/webhooks.ts'

/** The settings of the limits (D47). */
export const limitSettings = {
  REFRESHED_NFTS,
  INDEXER_CALLS_PER_PRODUCT_AND_MINUTE,
  INDEXER_CALLS_PER_PRODUCT_AND_DAY,
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE,
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY,
  ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE,
  NFTS_PER_PRODUCT,
  NEW_KEYS_PER_PRODUCT_AND_DAY,
  REGISTRATIONS_PER_HOUR,
  REGISTRATIONS_PER_ADDRESS_AND_HOUR,
  PLAYER_TOKENS_PER_USER_AND_HOUR,
  PLAYER_DETAILS_PER_PLAYER_AND_MINUTE,
  CLIENT_READS_PER_PLAYER_AND_MINUTE,
  SIGN_INS_PER_HOUR,
  SIGN_INS_PER_ADDRESS_AND_HOUR,
  REFUSED_SIGN_INS_PER_ADDRESS_AND_HOUR,
  DEVICE_CODES_PER_HOUR,
  DEVICE_CODES_PER_ADDRESS_AND_HOUR,
  DEVICE_GUESSES_PER_HOUR,
  WEBHOOK_TESTS_PER_PRODUCT_AND_HOUR,
  WEBHOOK_TESTS_PER_HOST_AND_HOUR,
  WEBHOOK_REPLAYS_PER_HOUR,
}

export const LIMITS = {
  meaning:
    '`deployment` sets each limit below that is not set to its default in a deployment (D47); `none` does not',
  form: v.picklist(['none', 'deployment'], 'must be none or deployment'),
  default: 'none',
} as const

/** The limits of a deployment with the defaults, as environment variables. */
export const deploymentLimits = variablesOf(
  deploymentSettings({ stage: 'dev' }),
  ...(Object.keys(limitSettings) as (keyof typeof limitSettings)[]),
)

/** The variables, with the limits of a deployment if LIMITS asks for them. Limits that are set stay. */
export function withLimits(
  variables: Record<string, string | undefined>,
): Record<string, string | undefined> {
  if (checkVariables({ LIMITS }, variables).values.LIMITS !== 'deployment') return variables
  const given = Object.entries(variables).filter(([, text]) => text)
  return { ...deploymentLimits, ...Object.fromEntries(given) }
}
