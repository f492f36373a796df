import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SQSEvent, SQSRecord } from 'aws-lambda'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../../test/support/services/http-server.ts'
import { startEventSource } from '../../lambda/event-source.ts'
import type { InvokeResult } from '../../lambda/lambda-function.ts'
import { startSqs } from '../aws/aws-clients.ts'

const access = { region: 'eu-west-1', credentials: { accessKeyId: 'a', secretAccessKey: 's' } }

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

type Invoke = (event: SQSEvent) => Promise<InvokeResult>

const succeed: Invoke = async () => ({ ok: true, payload: 'null' })

/** Starts a queue with a visibility timeout of 0, and an event source that polls it. */
async function setUp(
  invoke: Invoke = succeed,
  bodies: string[] = [],
  {
    visibilityTimeout = '0',
    ...options
  }: { visibilityTimeout?: string; batchSize?: number; concurrency?: number } = {},
) {
  const queues = await startSqs()
  const Attributes = { VisibilityTimeout: visibilityTimeout }
  const { QueueUrl, QueueName } = await queues.createQueue(Attributes)
  for (const body of bodies) await queues.send(QueueUrl, body)
  const events: SQSEvent[] = []
  const lines: string[] = []
  const source = startEventSource({
    ...{ ...access, ...options, endpoint: queues.url, queueUrl: QueueUrl },
    log: (line) => lines.push(line),
    invoke: (event) => {
      events.push(event)
      return invoke(event)
    },
  })
  onTestFinished(() => source.close())
  /** Returns the number of messages in the queue, visible or not. */
  const left = async () => {
    const attributes = await queues.attributesOf(QueueUrl)
    return (
      Number(attributes['ApproximateNumberOfMessages']) +
      Number(attributes['ApproximateNumberOfMessagesNotVisible'])
    )
  }
  return {
    source,
    events,
    lines,
    left,
    QueueName,
    sqs: queues.sqs,
    QueueUrl,
    send: (body: string) => queues.send(QueueUrl, body),
    bodies: () => events.map(({ Records }) => Records.map(({ body }) => body)),
  }
}

test('passes a message to the function as Lambda does, and deletes it', async () => {
  const { events, left, send, QueueName } = await setUp()
  const { MessageId } = await send('{"a":"☃"}')
  await expect.poll(() => events).toHaveLength(1)
  expect(events[0]).toEqual({
    Records: [
      {
        messageId: MessageId,
        receiptHandle: expect.stringMatching(/./),
        body: '{"a":"☃"}',
        attributes: expect.objectContaining({
          ApproximateReceiveCount: '1',
          SentTimestamp: expect.stringMatching(/^\d{13}$/),
          SenderId: expect.any(String),
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
        }),
        messageAttributes: {},
        md5OfBody: md5('{"a":"☃"}'),
        eventSource: 'aws:sqs',
        eventSourceARN: expect.stringMatching(`^arn:aws:sqs:eu-west-1:\\d{12}:${QueueName}$`),
        awsRegion: 'eu-west-1',
      },
    ],
  })
  await expect.poll(left).toBe(0)
})

test('passes batches of up to ten messages, one after the other', async () => {
  let running = 0
  let most = 0
  const bodies = Array.from({ length: 12 }, (_, n) => `${n}`)
  const { left, bodies: seen } = await setUp(async () => {
    most = Math.max(most, ++running)
    await sleep(50)
    running--
    return { ok: true, payload: '{"batchItemFailures":[]}' }
  }, bodies)
  await expect.poll(left).toBe(0)
  expect(new Set(seen().flat())).toEqual(new Set(bodies))
  expect(seen().flat()).toHaveLength(12)
  expect(Math.max(...seen().map((batch) => batch.length))).toBe(10)
  expect(most).toBe(1)
})

test('D122: makes several calls at a time, so that a slow one holds up no other', async () => {
  const slow = Promise.withResolvers<void>()
  onTestFinished(() => slow.resolve())
  let running = 0
  let most = 0
  const bodies = ['slow', 'slow', ...Array.from({ length: 10 }, (_, n) => `${n}`)]
  const { left, bodies: seen } = await setUp(
    async (event) => {
      most = Math.max(most, ++running)
      await (event.Records[0]?.body === 'slow' ? slow.promise : sleep(20))
      running--
      return succeed(event)
    },
    bodies,
    { visibilityTimeout: '60', batchSize: 1, concurrency: 3 },
  )
  await expect.poll(left).toBe(2)
  expect(seen().map((batch) => batch.length)).toEqual(Array(12).fill(1))
  expect([most, running]).toEqual([3, 2])
  slow.resolve()
  await expect.poll(left).toBe(0)
})

test('D122: leaves a message that the function has put off until then', async () => {
  const { sqs, QueueUrl, events, left } = await setUp(
    async ({ Records }) => {
      const [{ receiptHandle: ReceiptHandle, messageId, attributes }] = Records as [SQSRecord]
      if (attributes.ApproximateReceiveCount !== '1') return { ok: true, payload: 'null' }
      const change = { QueueUrl, ReceiptHandle, VisibilityTimeout: 1 }
      await sqs.changeMessageVisibility(change)
      const batchItemFailures = [{ itemIdentifier: messageId }]
      return { ok: true, payload: JSON.stringify({ batchItemFailures }) }
    },
    ['m'],
    { visibilityTimeout: '600', batchSize: 1 },
  )
  await expect.poll(left).toBe(0)
  expect(events).toHaveLength(2)
})

test('does not delete the messages that the function reports as failed', async () => {
  const { left, bodies } = await setUp(
    async ({ Records }) => {
      const bad = Records.filter(
        ({ body, attributes }) => body === 'bad' && attributes.ApproximateReceiveCount === '1',
      )
      const batchItemFailures = bad.map(({ messageId }) => ({ itemIdentifier: messageId }))
      return { ok: true, payload: JSON.stringify({ batchItemFailures }) }
    },
    ['good', 'bad', 'fine'],
  )
  await expect.poll(left).toBe(0)
  expect(bodies().flat().toSorted()).toEqual(['bad', 'bad', 'fine', 'good'])
})

test.each<[string, InvokeResult]>([
  ['throws', { ok: false, errorType: 'Error', message: 'no' }],
  [
    'reports a message that is not in the batch',
    { ok: true, payload: '{"batchItemFailures":[{"itemIdentifier":""}]}' },
  ],
  ['reports failures in another form', { ok: true, payload: '{"batchItemFailures":[{"id":"x"}]}' }],
  ['reports failures without a list', { ok: true, payload: '{"batchItemFailures":7}' }],
])('deletes nothing if the function %s, and continues', async (_, failure) => {
  let calls = 0
  const { left, bodies } = await setUp(
    async (event) => (calls++ === 0 ? failure : succeed(event)),
    ['m'],
  )
  await expect.poll(left).toBe(0)
  expect(bodies()).toEqual([['m'], ['m']])
})

test.each([1, 4])(
  'with %i pollers, logs the first of several failures in a row, and continues when the endpoint is back',
  async (concurrency) => {
    let up = false
    let requests = 0
    const endpoint = await serve((_request, response) => {
      requests++
      if (!up) return response.writeHead(500).end('garbage')
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
      const message = { MessageId: 'id', ReceiptHandle: 'r', Body: 'back', MD5OfBody: md5('back') }
      return response.end(JSON.stringify({ Messages: [message], Successful: [], Failed: [] }))
    })
    const lines: string[] = []
    const events: SQSEvent[] = []
    const source = startEventSource({
      ...{ ...access, concurrency, endpoint },
      queueUrl: `${endpoint}/000000000000/q`,
      log: (line) => lines.push(line),
      invoke: async (event) => {
        events.push(event)
        await source.close()
        return { ok: true, payload: 'null' }
      },
    })
    onTestFinished(() => source.close())
    await expect.poll(() => requests).toBeGreaterThan(6 * concurrency)
    expect(lines).toHaveLength(1)
    up = true
    await expect.poll(() => events.length).toBeGreaterThan(0)
  },
)

test('close ends the long poll, and receives no later messages', async () => {
  const { source, events, left, send } = await setUp()
  await sleep(200)
  await source.close()
  await send('late')
  await sleep(300)
  expect(events).toEqual([])
  expect(await left()).toBe(1)
})

test('close waits for the call in progress, and deletes its messages', async () => {
  const { source, events, left } = await setUp(async () => {
    await sleep(300)
    return { ok: true, payload: 'null' }
  }, ['m'])
  await expect.poll(() => events).toHaveLength(1)
  await source.close()
  expect(await left()).toBe(0)
})

test('close does not wait for a call that does not end', async () => {
  const { source, events, lines } = await setUp(() => new Promise(() => undefined), ['m'])
  await expect.poll(() => events).toHaveLength(1)
  await source.close()
  expect(lines).toEqual([])
})
