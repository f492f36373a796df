import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A response, and the time from the request to the response, in milliseconds. */
interface StubAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
  delayMilliseconds: number
  sent: () => void
}

/** Serves the responses of `answer` on a free port of 127.0.0.1. An exception is a 500. */
export async function startHttpStub(
  answer: (request: IncomingMessage, body: Buffer) => Promise<StubAnswer>,
) {
  const server = createServer((request, response) => {
    const arrivedAt = performance.now()
    bodyOf(request)
      .then((body) => answer(request, body))
      .then((made) => send(response, made, arrivedAt))
      .catch((error: unknown) => {
        console.error('stub:', error)
        response.writeHead(500).end()
      })
  })
  // Longer than clients keep idle connections, so that no connection closes while a request is sent.
  server.keepAliveTimeout = 120_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Collects a body. The functions of node:stream/consumers take several times as long, because they use a Blob. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  await once(request, 'end')
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, answer: StubAnswer, arrivedAt: number): void {
  const { status, headers, body, delayMilliseconds } = answer
  const leave = () => {
    answer.sent()
    response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
  }
  const wait = arrivedAt + delayMilliseconds - performance.now()
  if (wait <= 0) leave()
  else setTimeout(leave, wait)
}
