import * as v from 'valibot'
import type { Entries } from '../entries.ts'
import { action, type Call, type Service } from '../protocol.ts'
import * as messages from './message-actions.ts'
import * as queueActions from './queue-actions.ts'
import { openQueues, type Queue, wholeNumber } from './queues.ts'
import { receive } from './receive.ts'

const names = v.optional(v.array(v.string()), [])
const attributes = v.record(v.string(), v.string())
const newMessage = {
  MessageBody: v.pipe(v.string(), v.minLength(1)),
  DelaySeconds: v.optional(wholeNumber(0, 900), 0),
  // Rejected, so that they are not lost silently.
  MessageAttributes: v.optional(v.strictObject({}, 'message attributes are not supported')),
}
const receipt = { ReceiptHandle: v.string() }

const toQueue = <E extends v.ObjectEntries>(entries: E) =>
  v.object({ QueueUrl: v.string(), ...entries })
const batch = <E extends v.ObjectEntries>(entries: E) =>
  toQueue({ Entries: v.array(v.object({ Id: v.string(), ...entries })) })

/**
 * The standard queues of SQS, kept in entries. Delivery is at least once, approximately in the order of
 * sending. FIFO queues and message attributes are not supported.
 */
export async function openSqs(entries: Entries): Promise<Service> {
  const queues = await openQueues(entries)
  /** Returns an action on the queue of its input's QueueUrl. */
  const onQueue = <S extends v.GenericSchema<unknown, { QueueUrl: string }>>(
    schema: S,
    run: (queue: Queue, input: v.InferOutput<S>, call: Call) => unknown,
  ) =>
    action(schema, (input, call) =>
      run(queueActions.findQueue(queues, input.QueueUrl), input, call),
    )
  return {
    prefix: 'AmazonSQS',
    contentType: 'application/x-amz-json-1.0',
    actions: {
      CreateQueue: action(
        v.object({ QueueName: v.string(), Attributes: v.optional(attributes, {}) }),
        (input, call) => queueActions.createQueue(queues, input, call),
      ),
      GetQueueUrl: action(v.object({ QueueName: v.string() }), ({ QueueName }, call) => ({
        QueueUrl: queueActions.urlOf(queueActions.findQueue(queues, QueueName), call),
      })),
      GetQueueAttributes: onQueue(toQueue({ AttributeNames: names }), (queue, input) =>
        queueActions.getQueueAttributes(queues, queue, input.AttributeNames),
      ),
      SetQueueAttributes: onQueue(toQueue({ Attributes: attributes }), (queue, input) =>
        queueActions.setQueueAttributes(queues, queue, input.Attributes),
      ),
      SendMessage: onQueue(toQueue(newMessage), (queue, input) =>
        messages.send(queues, queue, input),
      ),
      ReceiveMessage: onQueue(receiveInput, async (queue, input, { signal }) => {
        const { VisibilityTimeout } = queue.description.attributes
        const received = await receive(queues, queue, {
          maxMessages: input.MaxNumberOfMessages,
          visibilityTimeout: input.VisibilityTimeout ?? VisibilityTimeout,
          waitTime: input.WaitTimeSeconds,
          signal,
        })
        const attributeNames = [...input.AttributeNames, ...input.MessageSystemAttributeNames]
        // AWS omits the member if there is no message.
        if (received.length === 0) return {}
        return {
          Messages: received.map((message) => messages.formatMessage(message, attributeNames)),
        }
      }),
      ChangeMessageVisibility: onQueue(
        toQueue({ ...receipt, VisibilityTimeout: wholeNumber(0, 43_200) }),
        (queue, input) => messages.changeVisibility(queues, queue, input),
      ),
      DeleteMessage: onQueue(toQueue(receipt), (queue, { ReceiptHandle }) =>
        messages.deleteMessage(queues, queue, ReceiptHandle),
      ),
      DeleteMessageBatch: onQueue(batch(receipt), (queue, { Entries }) =>
        messages.eachEntry(Entries, ({ ReceiptHandle }) =>
          messages.deleteMessage(queues, queue, ReceiptHandle),
        ),
      ),
    },
  }
}

const receiveInput = toQueue({
  MaxNumberOfMessages: v.optional(wholeNumber(1, 10), 1),
  VisibilityTimeout: v.optional(wholeNumber(0, 43_200)),
  WaitTimeSeconds: v.optional(wholeNumber(0, 20), 0),
  AttributeNames: names,
  MessageSystemAttributeNames: names,
})
