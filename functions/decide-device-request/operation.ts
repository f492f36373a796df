import * as v from 'valibot'
import {
  deviceRequestSchemas,
  exampleRequest,
  userCodeParameter,
} from '../../lib/contract/documentation/sign-in.ts'
import { type Documentation, describedObject } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { shownDeviceRequest } from '../../lib/contract/sign-in-entries.ts'

export const row = {
  id: 'decideDeviceRequest',
  section: 'D112',
  needs: 'walletSignIn',
  method: 'POST',
  paths: [`${base}/device/{userCode}`],
  pathParameters: ['userCode'],
  auth: 'SESSION',
  bySourceAddress: true,
  body: v.object({ approve: v.boolean('must be true or false') }),
  shifted: true,
  answer: shownDeviceRequest,
  problems: ['service_unavailable', 'unknown_user_code', 'user_code_expired', 'already_decided'],
  limits: ['device_guesses', 'device_guesses_by_address'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 3, Query: 1, PutItem: 1, UpdateItem: 2 },
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Decide device request',
  description:
    'Approves or denies the game that asks with a user code, once. An approved game gets player tokens of the user of the session, for 30 days after the signature of the session.',
  pathParameters: userCodeParameter,
  requests: { approve: { summary: 'Approve', value: { approve: true } } },
  answers: {
    request: { summary: 'Approved', value: { ...exampleRequest, state: 'approved' } },
  },
  invalidRequest: {
    summary: 'No decision',
    sent: { body: {} },
    faults: { approve: 'is required' },
  },
  schemas: {
    Decision: describedObject(row.body, 'The decision of a user.', {
      approve: 'Whether the game gets access.',
    }),
    ...deviceRequestSchemas,
  },
})
