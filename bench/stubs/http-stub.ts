import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as a stub sees it. */
export interface StubRequest {
  url: string
  headers: IncomingMessage['headers']
  body: Buffer
}

/** An answer, and how long after its request it leaves, whatever it took to make; milliseconds. */
export interface StubAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
  delayMilliseconds: number
  /** Called when it leaves. */
  sent: () => void
}

/** A server that stands in for a service. */
export interface HttpStub {
  url: string
  close(): Promise<void>
}

/** Serves on 127.0.0.1, on a free port, whatever `answer` says; what it throws is a 500. */
export async function startHttpStub(
  answer: (request: StubRequest) => Promise<StubAnswer>,
): Promise<HttpStub> {
  const server = createServer((request, response) => {
    const arrivedAt = performance.now()
    answerTo(request)
      .then((made) => send(response, made, arrivedAt))
      .catch((error: unknown) => {
        console.error('stub:', error)
        response.writeHead(500).end()
      })
  })
  const answerTo = async (request: IncomingMessage) =>
    await answer({
      url: request.url ?? '/',
      headers: request.headers,
      body: await buffer(request),
    })
  // Longer than clients keep idle connections, so that none is closed under a request on its way.
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
