import type { ServerResponse } from 'node:http'
import { GetItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import { attemptedAt, newClient, newCommandOf, services } from './clients.ts'
import { publishedClients } from './published.ts'
import { type Answer, type Reaction, startWire } from './wire.ts'

const wire = await startWire()

/** Sends a request for an item, and returns the output. */
type Send = () => Promise<object>

const published = publishedClients().dynamodb
const key = { TableName: 'table', Key: {} }

const client = newClient()

/** The client of the functions, and beside it the SDK's. */
const subjects: [string, Send][] = [
  ['the SDK', () => published.send(new GetItemCommand(key))],
  ['our client', () => client.send(newCommandOf('GetItem', key))],
]

const item: Answer = { status: 200, body: '{"Item":{"pk":{"S":"PRODUCT#1"}}}' }
const failing = (__type: string, headers = {}): Answer => ({
  status: 400,
  headers,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${__type}` }),
})

/** Sends a request, the attempts of which get these reactions, and returns the output. */
function sentTo([, send]: (typeof subjects)[number], ...reactions: [Reaction, ...Reaction[]]) {
  wire.react(...reactions)
  return send()
}

const begun = (response: ServerResponse) =>
  response.writeHead(200, { 'content-length': '99' }).write('{"Item":{')

/** Begins a response, and then ends its connection. */
const within = (end: (response: ServerResponse) => unknown) => (response: ServerResponse) => {
  begun(response)
  setImmediate(() => end(response))
}

describe.each(subjects)('%s', (...subject) => {
  test.each([
    'ReplicatedWriteConflictException',
    'ThrottlingException',
    'ProvisionedThroughputExceededException',
  ])('sends a request again after %s', async (name) => {
    expect(await sentTo(subject, failing(name), item)).toMatchObject({ Item: {} })
    expect(wire.arrived).toHaveLength(2)
  })

  test('a write that conflicts with one in another Region is tried three times', async () => {
    await expect(sentTo(subject, failing('ReplicatedWriteConflictException'))).rejects.toThrow()
    expect(wire.arrived).toHaveLength(3)
  })

  test.each(['ConditionalCheckFailedException', 'ExpiredTokenException', 'AccessDeniedException'])(
    'sends a request once if the answer is %s',
    async (name) => {
      await expect(sentTo(subject, failing(name))).rejects.toThrow()
      expect(wire.arrived).toHaveLength(1)
    },
  )

  test.runIf(subject[0] !== 'the SDK').each([[5], [null], [['a']], [{ a: 1 }]])(
    'an error with the code %j is a failure of the service',
    async (code) => {
      const sent = sentTo(subject, { status: 400, body: JSON.stringify({ __type: 'Any', code }) })
      await expect(sent).rejects.toMatchObject({ reason: 'DynamoDB: Any' })
    },
  )

  test.each<[string, (response: ServerResponse) => unknown]>([
    ['is closed before the response', (response) => response.destroy()],
    ['is reset before the response', ({ socket }) => socket?.resetAndDestroy()],
    ['is closed within the response', within((response) => response.destroy())],
    ['is reset within the response', within(({ socket }) => socket?.resetAndDestroy())],
    ['is silent within the response', begun],
  ])('sends a request again if the connection %s', async (_, reaction) => {
    // The connection of the request before is used again.
    await sentTo(subject, item)
    expect(await sentTo(subject, reaction, item)).toMatchObject({ Item: {} })
    expect(wire.arrived).toHaveLength(2)
  })

  test.each([
    ['InvalidSignatureException', 600],
    ['InvalidSignatureException', -600],
    ['RequestTimeTooSkewed', 600],
  ])('corrects its clock after %s, %i s beside that of AWS', async (name, seconds) => {
    const now = Date.now() + seconds * 1000
    const date = new Date(now).toUTCString()
    const headers = { date }
    expect(await sentTo(subject, failing(name, headers), { ...item, headers })).toMatchObject({
      Item: {},
    })
    const sent = wire.arrived.map(({ headers }) => signedAt(headers['x-amz-date']))
    expect(sent).toHaveLength(2)
    expect(Math.abs(Number(sent[1]) - now)).toBeLessThan(60_000)
  })
})

test('our client is told by the response when to send a request again', async () => {
  wire.react({ status: 503, headers: { 'x-amz-retry-after': '300000' } })
  const { error, saysWhen } = await attemptedAt(services.dynamodb)(newCommandOf('GetItem', key))
  const retryAt = Number((error as { retryAt?: Date }).retryAt)
  expect(saysWhen).toBe(true)
  expect(Math.round((retryAt - Date.now()) / 60_000)).toBe(5)
})

/** The time of a signature, such as 20260131T235959Z. */
const signedAt = (text: unknown): number =>
  Date.parse(String(text).replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))
