import { randomUUID } from 'node:crypto'
import type { Message, Queue, Queues } from './queues.ts'

/** The options of ReceiveMessage, times in seconds. */
export interface ReceiveOptions {
  maxMessages: number
  visibilityTimeout: number
  waitTime: number
  /** Aborted when the caller disconnects. It receives no message then. */
  signal: AbortSignal
}

/**
 * Receives up to `maxMessages` visible messages and hides them for the visibility timeout. Without a visible
 * message, waits up to `waitTime` for the first one.
 */
export async function receive(
  queues: Queues,
  queue: Queue,
  options: ReceiveOptions,
): Promise<Message[]> {
  const deadline = Date.now() + options.waitTime * 1000
  while (!options.signal.aborted) {
    const messages = take(queues, queue, options)
    if (messages.length > 0 || Date.now() >= deadline) return messages
    await untilVisible(queue, deadline, options.signal)
  }
  return []
}

/** Deletes the messages that are older than the queue's retention period. */
export function expire(queues: Queues, queue: Queue): void {
  const oldest = Date.now() - queue.description.attributes.MessageRetentionPeriod * 1000
  for (const { messageId, sentAt } of [...queue.messages.values()]) {
    if (sentAt <= oldest) queues.remove(queue, messageId)
  }
}

/** Returns the messages that callers can receive now. */
export function visibleMessages(queue: Queue): Message[] {
  const now = Date.now()
  return [...queue.messages.values()].filter(({ visibleAt }) => visibleAt <= now)
}

function take(queues: Queues, queue: Queue, options: ReceiveOptions): Message[] {
  expire(queues, queue)
  moveDeadLetters(queues, queue)
  const now = Date.now()
  const taken = visibleMessages(queue)
    .slice(0, options.maxMessages)
    .map((message) => ({
      ...message,
      visibleAt: now + options.visibilityTimeout * 1000,
      receiveCount: message.receiveCount + 1,
      firstReceivedAt: message.firstReceivedAt ?? now,
      receivedAt: now,
      receiptHandle: receiptHandleOf(queue, message),
    }))
  for (const message of taken) queues.put(queue, message)
  return taken
}

/** Moves the messages that have reached `maxReceiveCount` to the dead-letter queue. */
function moveDeadLetters(queues: Queues, queue: Queue): void {
  const policy = queue.description.attributes.RedrivePolicy
  const deadLetters = queues
    .all()
    .find(({ description }) => description.arn === policy?.deadLetterTargetArn)
  if (!policy || !deadLetters) return
  for (const { messageId, receiveCount } of visibleMessages(queue)) {
    if (receiveCount >= policy.maxReceiveCount) queues.move(messageId, queue, deadLetters)
  }
}

const receiptHandleOf = (queue: Queue, { messageId }: Message) =>
  Buffer.from(`${queue.description.name}/${messageId}/${randomUUID()}`).toString('base64url')

/** Resolves when a message may be visible, at `deadline`, or when the caller disconnects. */
async function untilVisible(queue: Queue, deadline: number, signal: AbortSignal): Promise<void> {
  const times = [...queue.messages.values()].map(({ visibleAt }) => visibleAt)
  const next = times.reduce((earliest, time) => Math.min(earliest, time), deadline)
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, Math.max(next - Date.now(), 1))
    function done() {
      clearTimeout(timer)
      queue.waiting.delete(done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    queue.waiting.add(done)
    signal.addEventListener('abort', done)
  })
}
