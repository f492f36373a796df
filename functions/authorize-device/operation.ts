import * as v from 'valibot'
import { seconds, shownText } from '../../lib/contract/answers.ts'
import { signInExample } from '../../lib/contract/documentation/sign-in.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { string } from '../../lib/contract/fields/rules.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

/** D112: the device authorization endpoint (RFC 8628, section 3.1). */
export const row = {
  id: 'authorizeDevice',
  section: 'D112',
  needs: 'walletSignIn',
  method: 'POST',
  paths: [`${base}/device/authorization`],
  auth: 'NONE',
  oauth: true,
  form: 'bare',
  bySourceAddress: true,
  bySendingPage: true,
  body: v.object({ client_id: string() }),
  effect: 'once',
  shifted: true,
  answer: v.object({
    device_code: shownText,
    user_code: shownText,
    verification_uri: shownText,
    verification_uri_complete: shownText,
    expires_in: seconds,
    interval: seconds,
  }),
  problems: ['service_unavailable', 'client_authentication_failed', 'invalid_client'],
  limits: [
    'device_codes_by_address',
    'device_codes_of_pages_by_address',
    'device_codes',
    'device_codes_of_pages',
  ],
} as const satisfies Route

export const requests: OperationRequests = { each: { GetItem: 1, PutItem: 1 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Authorize device',
  description:
    'Begins a sign-in on a device (RFC 8628): the game shows the player `verification_uri` and `user_code`, or a QR code of `verification_uri_complete`, and polls Create token until the player has decided on the page. A game on a web page asks at one of the `signInDomains` of its product; otherwise its player confirms the code as from another network.',
  requests: { game: { summary: 'A game', value: { client_id: example.productId } } },
  answers: {
    codes: {
      summary: 'The codes',
      value: {
        device_code: signInExample.deviceCode,
        user_code: signInExample.userCode,
        verification_uri: 'https://play.brindlewake.example/connect',
        verification_uri_complete: `https://play.brindlewake.example/connect?code=${signInExample.userCode}`,
        expires_in: 600,
        interval: 5,
      },
    },
  },
  invalidRequest: {
    summary: 'No client_id',
    sent: { body: {} },
    faults: { client_id: 'is required' },
  },
  schemas: {
    DeviceAuthorization: describedObject(row.body, 'A form.', {
      client_id:
        'The `productId` of the game. It can also be the user of `Authorization: Basic`, with an empty password.',
    }),
    DeviceCodes: describedObject(row.answer, 'The codes of a sign-in on a device.', {
      device_code: 'The code with which the game polls. The game shows it to nobody.',
      user_code: 'The code that the player enters.',
      verification_uri: 'The page on which the player enters it.',
      verification_uri_complete: 'The same page, with the code.',
      expires_in: 'How long both codes are valid, in seconds.',
      interval: 'The shortest time between two polls, in seconds.',
    }),
  },
})
