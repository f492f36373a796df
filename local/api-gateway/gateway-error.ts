import type { GatewayResponse } from './function-response.ts'

const messages = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Request Entity Too Large',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

/** The statuses of the gateway's own errors. */
export type GatewayStatus = keyof typeof messages

/** Returns an error of API Gateway: `{"message":"…"}`, not the service's problem details (D3). */
export const gatewayError = (
  status: GatewayStatus,
  message: string = messages[status],
): GatewayResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message })),
})
