import { shownDeviceRequest } from '../../lib/contract/device-request.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** D112 */
export const row = {
  id: 'getDeviceRequest',
  section: 'D112',
  method: 'GET',
  paths: [`${base}/device/{userCode}`],
  pathParameters: ['userCode'],
  auth: 'SESSION',
  bySourceAddress: true,
  answer: shownDeviceRequest,
  problems: ['service_unavailable'],
} as const satisfies Route
