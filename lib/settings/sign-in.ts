import * as v from 'valibot'
import { originOf } from '../domain/sign-in/sign-in-message.ts'
import { text } from './forms.ts'
import { part } from './part.ts'
import type { Setting } from './setting.ts'

export const SIGN_IN_SECRET = {
  meaning: 'the secret of signing in with wallets, which is used for nothing else (D97, D99, D129)',
  form: text,
} as const satisfies Setting

export const SIGN_IN_PAGE = {
  meaning:
    'the host of the page on which users sign in with their wallets, as in `location.host` (D111)',
  form: text,
} as const satisfies Setting

export const SIGN_IN_NEEDS_OPERATOR = {
  meaning:
    'whether the operator must permit each product that signs players in with their wallets: `true` or `false`; not set in a deployment without sign-in with wallets (D115)',
  form: v.picklist(['true', 'false'], 'must be true or false'),
  optional: true,
} as const satisfies Setting

export const SMART_ACCOUNTS = {
  meaning: '`true` if smart accounts sign in: the indexer is asked about their signatures (D158)',
  form: v.literal('true', 'must be true, or not set'),
  optional: true,
} as const satisfies Setting

export const smartAccountSettings = part({ SMART_ACCOUNTS }, (env) => ({
  isOn: env.SMART_ACCOUNTS === 'true',
}))

/** The secret of signing in with wallets (D97, D99, D129). */
export const signInSettings = part({ SIGN_IN_SECRET }, (env) => ({ secret: env.SIGN_IN_SECRET }))

/** The host of the page (D111), and its origin. */
export const pageSettings = part({ SIGN_IN_PAGE }, ({ SIGN_IN_PAGE: page }) => ({
  page,
  // As its messages have it (D97).
  origin: originOf(page),
}))

/** Which products sign players in (D115); `undefined` in a deployment without sign-in with wallets. */
export const signInRuleIfAny = part({ SIGN_IN_NEEDS_OPERATOR }, (env) => ({
  signInRule: env.SIGN_IN_NEEDS_OPERATOR && ruleOf(env.SIGN_IN_NEEDS_OPERATOR),
}))

const { optional: _, ...required } = SIGN_IN_NEEDS_OPERATOR

/** The same for the functions of sign-in with wallets. */
export const signInRuleSettings = part({ SIGN_IN_NEEDS_OPERATOR: required }, (env) => ({
  signInRule: ruleOf(env.SIGN_IN_NEEDS_OPERATOR),
}))

const ruleOf = (needsOperator: 'true' | 'false') => ({ needsOperator: needsOperator === 'true' })
