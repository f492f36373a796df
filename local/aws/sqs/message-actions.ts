import { createHash, randomUUID } from 'node:crypto'
import { AwsError, accountId } from '../protocol.ts'
import { selectAttributes } from './queue-actions.ts'
import type { Message, Queue, Queues } from './queues.ts'

/** The largest message, in bytes. Source: Amazon SQS API Reference, SendMessage. */
const maxMessageBytes = 1_048_576

export async function send(
  queues: Queues,
  queue: Queue,
  { MessageBody: body, DelaySeconds }: { MessageBody: string; DelaySeconds: number },
) {
  if (Buffer.byteLength(body) > maxMessageBytes) {
    const message = `A message has at most ${maxMessageBytes} bytes.`
    throw new AwsError('InvalidParameterValue', message)
  }
  if (!body.isWellFormed() || forbiddenCharacters.test(body)) {
    throw new AwsError(
      'InvalidMessageContents',
      'The message has characters outside the allowed set.',
    )
  }
  const messageId = randomUUID()
  const sentAt = Date.now()
  const visibleAt = sentAt + DelaySeconds * 1000
  const message = { messageId, body, sentAt, visibleAt, receiveCount: 0 }
  await queues.change([[queue, messageId, message]])
  return { MessageId: messageId, MD5OfMessageBody: md5(body) }
}

/** Returns a message in the format of ReceiveMessage, with the requested system attributes. */
export function formatMessage(message: Message, attributeNames: readonly string[]) {
  const attributes = {
    SenderId: accountId,
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
  }
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: md5(message.body),
    Attributes: selectAttributes(attributes, attributeNames),
  }
}

/** DeleteMessage. It has no effect if the message is deleted already or was received again. */
export async function deleteMessage(queues: Queues, queue: Queue, receiptHandle: string) {
  const message = findReceived(queue, receiptHandle)
  if (message) await queues.change([[queue, message.messageId, undefined]])
  return {}
}

/** The longest time from the receive of a message until others can receive it, in seconds. */
const maxVisibilityTimeout = 43_200

/** ChangeMessageVisibility: hides a received message for this time from now, in seconds. */
export async function changeVisibility(
  queues: Queues,
  queue: Queue,
  { ReceiptHandle, VisibilityTimeout }: { ReceiptHandle: string; VisibilityTimeout: number },
) {
  const message = findReceived(queue, ReceiptHandle)
  if (!message) {
    const reason = 'The message does not exist, or was received again.'
    throw new AwsError('InvalidParameterValue', reason)
  }
  const now = Date.now()
  if (message.visibleAt <= now) throw new AwsError('MessageNotInflight', 'The message is visible.')
  const visibleAt = now + VisibilityTimeout * 1000
  if (visibleAt > (message.receivedAt ?? now) + maxVisibilityTimeout * 1000) {
    const reason = `A message is hidden for at most ${maxVisibilityTimeout} seconds from its receive.`
    throw new AwsError('InvalidParameterValue', reason)
  }
  await queues.change([[queue, message.messageId, { ...message, visibleAt }]])
  return {}
}

/** Runs a batch of entries, each of which succeeds or fails on its own. */
export async function eachEntry<Entry extends { Id: string }>(
  entries: readonly Entry[],
  run: (entry: Entry) => Promise<object>,
) {
  const Successful: object[] = []
  const Failed: object[] = []
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...(await run(entry)) })
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      Failed.push({ Id: entry.Id, SenderFault: true, Code: error.type, Message: error.message })
    }
  }
  return { Successful, Failed }
}

// The characters that XML 1.0 does not allow (Amazon SQS API Reference, SendMessage).
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const forbiddenCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Returns the message if the queue still has it and this is the handle of its latest receive. */
function findReceived(queue: Queue, receiptHandle: string): Message | undefined {
  const [name, messageId] = Buffer.from(receiptHandle, 'base64url').toString().split('/')
  if (name !== queue.description.name || messageId === undefined) {
    throw new AwsError('ReceiptHandleIsInvalid', 'The receipt handle is not one of this queue.')
  }
  const message = queue.messages.get(messageId)
  return message?.receiptHandle === receiptHandle ? message : undefined
}
