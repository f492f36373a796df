import { randomBytes } from 'node:crypto'
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { GatewayResponse } from './function-response.ts'

/**
 * The maximum size of the request line and headers, in bytes on the wire. AWS counts only the values of the
 * headers, so AWS accepts every request that this gateway accepts.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const maxHeadBytes = 10_240

/**
 * The largest event that Lambda accepts, in bytes of JSON. It is smaller than API Gateway's limit of 10 MB.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxEventBytes = 6_291_456

/** Returns whether the request line and headers exceed API Gateway's limit. */
export function isHeadTooLarge({ method, url, httpVersion, rawHeaders }: IncomingMessage): boolean {
  // Node decodes headers as Latin-1: a character is a byte. `: ` and the line end are 4 bytes per header.
  let bytes = `${method} ${url} HTTP/${httpVersion}\r\n`.length + rawHeaders.length * 2
  for (const text of rawHeaders) bytes += text.length
  return bytes > maxHeadBytes
}

/** The statuses of the errors of Node's parser that are not 400. */
const statuses: Record<string, GatewayStatus> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** How long a client may continue to send before the connection closes, so that it can read the response. */
const lingerMilliseconds = 500

/** Responds with the gateway's errors to requests that Node cannot parse, and closes the connection. */
export function respondToMalformedRequests(server: Server): void {
  const finished = new WeakSet<Duplex>()
  const respond = (socket: Duplex, status: GatewayStatus) => {
    finished.add(socket)
    socket.on('error', () => socket.destroy())
    socket.end(rawResponse(status))
    socket.resume()
    setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser reports the same error for all data that follows.
    if (finished.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else respond(socket, statuses[error.code ?? ''] ?? 400)
  })
  server.on('connect', (_request, socket) => respond(socket, 404))
}

function rawResponse(status: GatewayStatus): Buffer {
  const { headers, body } = gatewayError(status)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${headers['content-type']}`,
    `content-length: ${body.length}`,
    `apigw-requestid: ${randomBytes(11).toString('base64')}`,
    'connection: close',
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}

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

type GatewayStatus = keyof typeof messages

/** Returns an error of API Gateway: `{"message":"…"}`, not the service's problem details (D3). */
export const gatewayError = (
  status: GatewayStatus,
  message: string = messages[status],
): GatewayResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message })),
})
