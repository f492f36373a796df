import { wholeNumber } from './forms.ts'
import { part } from './part.ts'
import type { Setting } from './setting.ts'

export const REMEMBER_SECONDS = {
  meaning:
    "the seconds for which a player's balance of the service token is remembered; `0` remembers none (D156)",
  form: wholeNumber(0, 86_400),
  default: 0,
  optional: true,
  inDeployment: 'rememberSeconds',
} as const satisfies Setting

/** How old remembered balances may be, in seconds (D156). */
export const balanceSettings = part({ REMEMBER_SECONDS }, (env) => ({
  rememberSeconds: env.REMEMBER_SECONDS,
}))
