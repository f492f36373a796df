import * as v from 'valibot'
import { seconds, shownText } from '../../lib/contract/answers.ts'
import { string } from '../../lib/contract/fields/rules.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** D110: the token endpoint of OAuth 2.0 (RFC 6749, section 3.2). */
export const row = {
  id: 'createToken',
  section: 'D110',
  method: 'POST',
  paths: [`${base}/token`],
  auth: 'NONE',
  oauth: true,
  form: 'bare',
  body: v.object({
    grant_type: string(),
    client_id: string(),
    refresh_token: v.optional(string()),
    device_code: v.optional(string()),
  }),
  effect: 'repeatable',
  answer: v.object({
    access_token: shownText,
    token_type: v.literal('Bearer'),
    expires_in: seconds,
    refresh_token: shownText,
  }),
  problems: ['service_unavailable'],
} as const satisfies Route
