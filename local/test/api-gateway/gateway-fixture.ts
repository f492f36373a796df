import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect } from 'vitest'
import { type GatewayOptions, startApiGateway } from '../../api-gateway/api-gateway.ts'
import { host } from '../lambda/lambda-fixture.ts'

const cors = {
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['Content-Type', 'X-Api-Key'],
  exposeHeaders: ['Retry-After'],
  maxAgeSeconds: 7200,
}

const sources = {
  /** Returns its event. */
  echo: `exports.handler = async (event) => ({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(event),
  })`,
  /** Returns the response in the request’s body. */
  answer: 'exports.handler = async (event) => JSON.parse(event.body)',
  throws: `exports.handler = async () => { throw new Error('no') }`,
  huge: `exports.handler = async () => ({ statusCode: 200, body: 'x'.repeat(7_000_000) })`,
  waits: `exports.handler = () =>
    new Promise((go) => setTimeout(go, 300, { statusCode: 200, body: 'waited' }))`,
  bytes:
    'exports.handler = async (event) => ({ statusCode: 200, body: String(event.body.length) })',
}

const routes = [
  ...Object.keys(sources).map((name) => ({ method: 'POST', path: `/${name}`, functionName: name })),
  { method: 'GET', path: '/echo', functionName: 'echo' },
  { method: 'GET', path: '/a/very/deep path', functionName: 'echo' },
]

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

export const gatewayError = (status: number, message: string) => ({
  status,
  headers: expect.objectContaining({
    'content-type': 'application/json',
    'apigw-requestid': expect.stringMatching(/^[\w+/=]{16}$/),
  }),
  body: JSON.stringify({ message }),
})

/** Starts a gateway with real functions for all tests of a file, and returns ways to call it. */
export async function useGateway() {
  const { lambda } = await host(sources, { onEnd: afterAll })
  const logged: string[] = []

  const start = (options: Partial<GatewayOptions> = {}) =>
    startApiGateway({
      port: 0,
      routes,
      cors,
      invoke: (name, event) => lambda.invoke(name, event),
      log: (line) => logged.push(line),
      ...options,
    })
  const { url, close } = await start()
  afterAll(() => close())
  const { hostname, port } = new URL(url)

  /** Sends a request with an unchanged path and only the headers that HTTP requires. */
  const send = async (
    path: string,
    options: RequestOptions & { body?: string | Buffer } = {},
  ): Promise<Reply> => {
    const { body, ...rest } = options
    const request = httpRequest({ hostname, port, path, agent: false, ...rest }).end(body)
    const [response] = await once(request, 'response')
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
  const open = (): Socket =>
    connect({ host: hostname, port: Number(port) }).on('error', () => undefined)
  return {
    url,
    logged,
    start,
    send,
    post: (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
      send(path, { method: 'POST', body, headers }),
    /** Opens a connection without a request. */
    open,
    /** Sends bytes and reads until the other side closes. */
    raw: (bytes: string | Buffer): Promise<string> => {
      const socket = open()
      socket.write(bytes)
      return text(socket)
    },
  }
}
