import { randomBytes } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type GatewayStatus, gatewayError } from './gateway-error.ts'

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
