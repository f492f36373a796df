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
    await expire(queues, queue)
    await moveDeadLetters(queues, queue)
    // Between this and the change or the wait, no other call runs.
    const visible = visibleMessages(queue).slice(0, options.maxMessages)
    if (visible.length > 0) return await hide(queues, queue, visible, options.visibilityTimeout)
    if (Date.now() >= deadline) return []
    await untilVisible(queue, deadline, options.signal)
  }
  return []
}

/** Deletes the messages that are older than the queue's retention period. */
export async function expire(queues: Queues, queue: Queue): Promise<void> {
  const oldest = Date.now() - queue.description.attributes.MessageRetentionPeriod * 1000
  const expired = [...queue.messages.values()].filter(({ sentAt }) => sentAt <= oldest)
  if (expired.length === 0) return
  await queues.change(expired.map(({ messageId }) => [queue, messageId, undefined]))
}

function visibleMessages(queue: Queue): Message[] {
  const now = Date.now()
  return [...queue.messages.values()].filter(({ visibleAt }) => visibleAt <= now)
}

async function hide(
  queues: Queues,
  queue: Queue,
  visible: readonly Message[],
  seconds: number,
): Promise<Message[]> {
  const now = Date.now()
  const taken = visible.map((message) => ({
    ...message,
    visibleAt: now + seconds * 1000,
    receiveCount: message.receiveCount + 1,
    firstReceivedAt: message.firstReceivedAt ?? now,
    receivedAt: now,
    receiptHandle: receiptHandleOf(queue, message),
  }))
  await queues.change(taken.map((message) => [queue, message.messageId, message]))
  return taken
}

/** Moves the messages that have reached `maxReceiveCount` to the dead-letter queue. */
async function moveDeadLetters(queues: Queues, queue: Queue): Promise<void> {
  const policy = queue.description.attributes.RedrivePolicy
  const deadLetters = queues
    .all()
    .find(({ description }) => description.arn === policy?.deadLetterTargetArn)
  if (!policy || !deadLetters) return
  const dead = visibleMessages(queue).filter((each) => each.receiveCount >= policy.maxReceiveCount)
  if (dead.length === 0) return
  await queues.change(
    dead.flatMap((message) => [
      [queue, message.messageId, undefined] as const,
      [deadLetters, message.messageId, message] as const,
    ]),
  )
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
