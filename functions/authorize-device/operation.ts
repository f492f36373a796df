import * as v from 'valibot'
import { seconds, shownText } from '../../lib/contract/answers.ts'
import { string } from '../../lib/contract/fields/rules.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** D112: the device authorization endpoint (RFC 8628, section 3.1). */
export const row = {
  id: 'authorizeDevice',
  section: 'D112',
  method: 'POST',
  paths: [`${base}/device/authorization`],
  auth: 'NONE',
  oauth: true,
  form: 'bare',
  bySourceAddress: true,
  body: v.object({ client_id: string() }),
  effect: 'once',
  answer: v.object({
    device_code: shownText,
    user_code: shownText,
    verification_uri: shownText,
    verification_uri_complete: shownText,
    expires_in: seconds,
    interval: seconds,
  }),
  problems: ['service_unavailable'],
} as const satisfies Route
