import * as v from 'valibot'
import { shownDeviceRequest } from '../../lib/contract/device-request.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** D112 */
export const row = {
  id: 'decideDeviceRequest',
  section: 'D112',
  method: 'POST',
  paths: [`${base}/device/{userCode}`],
  pathParameters: ['userCode'],
  auth: 'SESSION',
  bySourceAddress: true,
  body: v.object({ approve: v.boolean('must be true or false') }),
  answer: shownDeviceRequest,
  problems: ['service_unavailable'],
} as const satisfies Route
