import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server of a game that receives the messages of a webhook. */
export interface ReceivingServer {
  url: string
  /** The types of the messages, in their order. */
  received: string[]
  /** The status of the next answers. */
  status: number
  /** Whether it answers the challenge of a test. */
  isKnowing: boolean
}

/** Starts a server that answers tests of webhooks, until the test ends. */
export async function startReceivingServer(): Promise<ReceivingServer> {
  const receiver: ReceivingServer = { url: '', received: [], status: 200, isKnowing: true }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString())
      receiver.received.push(type)
      response.statusCode = receiver.status
      response.end(receiver.isKnowing ? data.challenge : 'hello')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  receiver.url = `http://127.0.0.1:${port}/events`
  return receiver
}
