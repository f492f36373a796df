import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  QueueNameExists,
  ReceiptHandleIsInvalid,
  SendMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs'
import { describe, expect, test } from 'vitest'
import { startSqs } from './aws-clients.ts'

describe('SQS', () => {
  test('creates a queue once, and finds it by name', async () => {
    const { sqs, createQueue, url } = await startSqs()
    const { QueueName, QueueUrl } = await createQueue({ VisibilityTimeout: '60' })
    expect(QueueUrl).toBe(`${url}/000000000000/${QueueName}`)
    const again = new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout: '60' } })
    expect((await sqs.send(again)).QueueUrl).toBe(QueueUrl)
    expect((await sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl).toBe(QueueUrl)
    const other = new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout: '61' } })
    await expect(sqs.send(other)).rejects.toBeInstanceOf(QueueNameExists)
  })

  test('returns and changes attributes, and rejects invalid attributes', async () => {
    const { sqs, createQueue, attributesOf } = await startSqs()
    const { QueueName, QueueUrl } = await createQueue({ DelaySeconds: '3' })
    const set = (Attributes: Record<string, string>) =>
      sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }))
    await set({ VisibilityTimeout: '45' })
    expect(await attributesOf(QueueUrl)).toMatchObject({
      QueueArn: `arn:aws:sqs:us-east-1:000000000000:${QueueName}`,
      VisibilityTimeout: '45',
      DelaySeconds: '3',
      MaximumMessageSize: '1048576',
      ApproximateNumberOfMessages: '0',
    })
    await expect(set({ Colour: 'red' })).rejects.toMatchObject({ name: 'InvalidAttributeName' })
    for (const wrong of ['-1', '43201', '1.5', 'x', '']) {
      const setting = set({ VisibilityTimeout: wrong })
      await expect(setting).rejects.toMatchObject({ name: 'InvalidAttributeValue' })
    }
  })

  test('deletes each entry of a batch on its own', async () => {
    const { sqs, createQueue, send, receive } = await startSqs()
    const { QueueUrl } = await createQueue()
    for (const body of ['one', 'two']) await send(QueueUrl, body)
    const messages = await receive(QueueUrl)
    expect(messages.map(({ Body }) => Body)).toEqual(['one', 'two'])
    const remove = (entries: { Id: string; ReceiptHandle: string | undefined }[]) =>
      sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: entries }))
    const handles = [...messages.map(({ ReceiptHandle }) => ReceiptHandle), 'wrong']
    const deleted = await remove(handles.map((ReceiptHandle, i) => ({ Id: `${i}`, ReceiptHandle })))
    expect(deleted.Successful?.map(({ Id }) => Id)).toEqual(['0', '1'])
    expect(deleted.Failed).toMatchObject([
      { Id: '2', Code: 'ReceiptHandleIsInvalid', SenderFault: true },
    ])
    const entry = { Id: 'a', ReceiptHandle: 'any' }
    const eleven = Array.from({ length: 11 }, (_, i) => ({ ...entry, Id: `${i}` }))
    await expect(remove([])).rejects.toMatchObject({ name: 'EmptyBatchRequest' })
    await expect(remove(eleven)).rejects.toMatchObject({ name: 'TooManyEntriesInBatchRequest' })
    await expect(remove([entry, entry])).rejects.toMatchObject({ name: 'BatchEntryIdsNotDistinct' })
  })

  test('accepts messages of up to 1 MiB with the allowed characters', async () => {
    const { createQueue, send, receive } = await startSqs()
    const { QueueUrl } = await createQueue()
    const largest = 'é'.repeat(524_288)
    await send(QueueUrl, largest)
    expect(await receive(QueueUrl)).toMatchObject([{ Body: largest }])
    await expect(send(QueueUrl, `${largest}x`)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    })
    await expect(send(QueueUrl, 'a\u0000b')).rejects.toMatchObject({
      name: 'InvalidMessageContents',
    })
  })

  test('rejects unknown queues, invalid receipt handles and unsupported features', async () => {
    const { sqs, createQueue } = await startSqs()
    const { QueueUrl } = await createQueue()
    const unknown = new GetQueueUrlCommand({ QueueName: 'constructor' })
    await expect(sqs.send(unknown)).rejects.toBeInstanceOf(QueueDoesNotExist)
    const foreign = new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'b3RoZXIvbWVzc2FnZS94' })
    await expect(sqs.send(foreign)).rejects.toBeInstanceOf(ReceiptHandleIsInvalid)
    const fifo = new CreateQueueCommand({ QueueName: 'a.fifo' })
    await expect(sqs.send(fifo)).rejects.toMatchObject({ name: 'InvalidParameterValue' })
    const MessageAttributes = { a: { DataType: 'String', StringValue: 'b' } }
    const withAttributes = new SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageAttributes })
    await expect(sqs.send(withAttributes)).rejects.toMatchObject({
      name: 'ValidationException',
    })
  })
})
