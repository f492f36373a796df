import {
  deviceRequestSchemas,
  exampleRequest,
  userCodeParameter,
} from '../../lib/contract/documentation/sign-in.ts'
import type { Documentation } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { shownDeviceRequest } from '../../lib/contract/sign-in-entries.ts'

export const row = {
  id: 'getDeviceRequest',
  section: 'D112',
  needs: 'walletSignIn',
  method: 'GET',
  paths: [`${base}/device/{userCode}`],
  pathParameters: ['userCode'],
  auth: 'SESSION',
  bySourceAddress: true,
  shifted: true,
  answer: shownDeviceRequest,
  problems: ['service_unavailable', 'unknown_user_code'],
  limits: ['device_guesses', 'device_guesses_by_address'],
} as const satisfies Route

export const requests: OperationRequests = { each: { GetItem: 2 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Get device request',
  description:
    'Returns the game that asks with a user code. A code that is wrong counts as a guess.',
  pathParameters: userCodeParameter,
  answers: {
    request: {
      summary: 'A game that waits',
      value: { ...exampleRequest, state: 'pending' },
    },
  },
  schemas: deviceRequestSchemas,
})
