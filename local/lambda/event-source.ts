import { setTimeout as sleep } from 'node:timers/promises'
import { type Message, SQS, type SQSClientConfig } from '@aws-sdk/client-sqs'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import type { InvokeResult } from './lambda-function.ts'

interface EventSourceOptions {
  queueUrl: string
  /** None: AWS itself. */
  endpoint?: string
  region: string
  credentials: NonNullable<SQSClientConfig['credentials']>
  invoke(event: SQSEvent): Promise<InvokeResult>
  /** The most messages of a call, 1 to 10; by default 10. */
  batchSize?: number
  /** The most calls at a time; by default one. */
  concurrency?: number
  /** Receives the first of several failures in a row. */
  log?: (line: string) => void
}

/**
 * Lambda's event source mapping: polls an SQS queue and passes batches of messages to a function, up to
 * `concurrency` batches at a time. It deletes no message if the function fails, and otherwise all messages
 * that `batchItemFailures` does not name (ReportBatchItemFailures). SQS delivers the other messages again
 * after their visibility timeout, or when the function has said. After an error, polling pauses for 0.1 s to 10 s.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function startEventSource(options: EventSourceOptions) {
  const { endpoint, region, credentials, log = console.error } = options
  const client = new SQS({
    region,
    credentials,
    ...(endpoint && { endpoint }),
    requestHandler: { requestTimeout: 30_000, throwOnRequestTimeout: true },
  })
  const closing = new AbortController()
  const { signal } = closing

  let isFailing = false
  const run = async () => {
    for (let failures = 0; !signal.aborted; ) {
      try {
        await pollOnce(client, options, signal)
        failures = 0
        isFailing = false
      } catch (error) {
        if (signal.aborted) return
        if (!isFailing) log(`The queue ${options.queueUrl}: ${(error as Error).message}`)
        isFailing = true
        const milliseconds = Math.min(100 * 2 ** failures++, 10_000)
        await sleep(milliseconds, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  const { concurrency = 1 } = options
  const ended = Promise.all(Array.from({ length: concurrency }, run))
  return {
    /**
     * Stops polling and gives the calls in progress 2 s to end. SQS delivers the messages of a call that
     * does not end again. Repeated calls are safe.
     */
    async close(): Promise<void> {
      closing.abort()
      const grace = new AbortController()
      const lateness = sleep(2000, undefined, { signal: grace.signal }).catch(() => undefined)
      await Promise.race([ended, lateness])
      grace.abort()
      client.destroy()
    },
  }
}

async function pollOnce(
  client: SQS,
  { queueUrl, region, invoke, batchSize = 10 }: EventSourceOptions,
  abortSignal: AbortSignal,
): Promise<void> {
  const { Messages: messages = [] } = await client.receiveMessage(
    {
      QueueUrl: queueUrl,
      MaxNumberOfMessages: batchSize,
      WaitTimeSeconds: 20,
      MessageSystemAttributeNames: ['All'],
    },
    { abortSignal },
  )
  if (messages.length === 0) return
  const result = await invoke({
    Records: messages.map((message) => record(message, queueUrl, region)),
  })
  if (!result.ok) throw new Error(`the function failed with ${result.errorType}: ${result.message}`)
  const done = succeeded(messages, JSON.parse(result.payload))
  if (done.length === 0) return
  await client.deleteMessageBatch({
    QueueUrl: queueUrl,
    Entries: done.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
  })
}

function record(message: Message, queueUrl: string, region: string): SQSRecord {
  const [accountId, queueName] = new URL(queueUrl).pathname.split('/').slice(-2)
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: message.Attributes as unknown as SQSRecord['attributes'],
    messageAttributes: {},
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${region}:${accountId}:${queueName}`,
    awsRegion: region,
  }
}

/** Without a list, all messages succeeded. If the list names a message that is not in the batch, none did. */
function succeeded(messages: Message[], response: SQSBatchResponse | null): Message[] {
  const failures = response?.batchItemFailures ?? []
  const ids = new Set(messages.map(({ MessageId }) => MessageId))
  for (const { itemIdentifier } of failures) if (!ids.delete(itemIdentifier)) return []
  return messages.filter(({ MessageId }) => ids.has(MessageId))
}
