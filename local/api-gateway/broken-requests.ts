import { randomBytes } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type GatewayStatus, gatewayError } from './gateway-error.ts'

/** What Node's parser says is wrong, where that is not simply a bad request. */
const statuses: Record<string, GatewayStatus> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** How long a client may go on sending what nobody reads, so that it comes to read the answer. */
const lingerMilliseconds = 500

/** Answers, in the gateway's own form, what Node cannot read as a request, and closes the connection. */
export function answerBrokenRequests(server: Server): void {
  const answered = new WeakSet<Duplex>()
  const answer = (socket: Duplex, status: GatewayStatus) => {
    answered.add(socket)
    socket.on('error', () => socket.destroy())
    socket.end(rawAnswer(status))
    socket.resume()
    setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser says the same again of all that follows.
    if (answered.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else answer(socket, statuses[error.code ?? ''] ?? 400)
  })
  server.on('connect', (_request, socket) => answer(socket, 404))
}

function rawAnswer(status: GatewayStatus): Buffer {
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
