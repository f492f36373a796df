import { serve } from '../../support/services/http-server.ts'

interface ReceivingServer {
  url: string
  received: string[]
  status: number
  isKnowing: boolean
}

/** Starts a server that answers tests of webhooks, until the test ends. */
export async function startReceivingServer(): Promise<ReceivingServer> {
  const receiver: ReceivingServer = { url: '', received: [], status: 200, isKnowing: true }
  const origin = await serve(async (request, response) => {
    const { type, data } = JSON.parse((await request.toArray()).join(''))
    receiver.received.push(type)
    response.statusCode = receiver.status
    response.end(receiver.isKnowing ? data.challenge : 'hello')
  })
  receiver.url = `${origin}/events`
  return receiver
}
