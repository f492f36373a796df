import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueUrlCommand,
  type Message,
  QueueDoesNotExist,
  QueueNameExists,
  ReceiptHandleIsInvalid,
  ReceiveMessageCommand,
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

describe('SQS: delivery', () => {
  test('delivers a message with its attributes until it is deleted', async () => {
    const { sqs, createQueue, send, receive, attributesOf } = await startSqs()
    const { QueueUrl } = await createQueue()
    const sent = await send(QueueUrl, 'héllo 🙂')
    const [message, ...others] = await receive(QueueUrl)
    expect(others).toEqual([])
    expect(message).toMatchObject({ MessageId: sent.MessageId, Body: 'héllo 🙂' })
    expect(message?.MD5OfBody).toBe(createHash('md5').update('héllo 🙂').digest('hex'))
    expect(message?.Attributes).toMatchObject({ ApproximateReceiveCount: '1' })
    expect(message?.Attributes?.SentTimestamp).toMatch(/^\d{13}$/)
    expect(await attributesOf(QueueUrl)).toMatchObject({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '1',
    })
    const { ReceiptHandle } = message ?? {}
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
    expect(await attributesOf(QueueUrl)).toMatchObject({
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
    })
  })

  test('delivers a message again after its visibility timeout, with a new handle', async () => {
    const { sqs, createQueue, send, receive } = await startSqs()
    const { QueueUrl } = await createQueue({ VisibilityTimeout: '1' })
    await send(QueueUrl, 'hidden')
    expect(await receive(QueueUrl, { visibility: 600 })).toHaveLength(1)
    expect(await receive(QueueUrl)).toEqual([])
    await send(QueueUrl, 'again')
    const [first] = await receive(QueueUrl)
    const [second] = await receive(QueueUrl, { wait: 20 })
    expect(second).toMatchObject({ Body: 'again', Attributes: { ApproximateReceiveCount: '2' } })
    const { ReceiptHandle } = first ?? {}
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
    const [third] = await receive(QueueUrl, { wait: 20 })
    expect(third?.Attributes).toMatchObject({ ApproximateReceiveCount: '3' })
  })

  test('D122: lets the receiver of a message put it off, for up to twelve hours from its receive', async () => {
    const { sqs, createQueue, send, receive } = await startSqs()
    const { QueueUrl } = await createQueue({ VisibilityTimeout: '600' })
    const hide = (message: Message | undefined, VisibilityTimeout: number) => {
      const input = { QueueUrl, ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout }
      return sqs.send(new ChangeMessageVisibilityCommand(input))
    }
    await send(QueueUrl, 'put off')
    const [first] = await receive(QueueUrl)
    await hide(first, 43_000)
    expect(await receive(QueueUrl)).toEqual([])
    await hide(first, 1)
    const [second] = await receive(QueueUrl, { wait: 20 })
    expect(second).toMatchObject({ Body: 'put off', Attributes: { ApproximateReceiveCount: '2' } })
    await expect(hide(first, 1)).rejects.toMatchObject({ name: 'InvalidParameterValue' })
    await sleep(5)
    await expect(hide(second, 43_200)).rejects.toMatchObject({ name: 'InvalidParameterValue' })
    await expect(hide(second, 43_201)).rejects.toThrow()
    await hide(second, 0)
    await expect(hide(second, 1)).rejects.toMatchObject({ name: 'MessageNotInflight' })
    expect(await receive(QueueUrl)).toHaveLength(1)
  })

  test('moves a message to the dead-letter queue after maxReceiveCount', async () => {
    const { createQueue, send, receive, attributesOf } = await startSqs()
    const deadLetters = await createQueue()
    const { QueueArn: deadLetterTargetArn } = await attributesOf(deadLetters.QueueUrl)
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 })
    const { QueueUrl } = await createQueue({ VisibilityTimeout: '1', RedrivePolicy })
    expect(JSON.parse((await attributesOf(QueueUrl)).RedrivePolicy ?? '')).toEqual({
      deadLetterTargetArn,
      maxReceiveCount: 2,
    })
    const { MessageId } = await send(QueueUrl, 'poison')
    for (const count of ['1', '2']) {
      const [message] = await receive(QueueUrl, { wait: 20, visibility: 0 })
      expect(message?.Attributes).toMatchObject({ ApproximateReceiveCount: count })
    }
    expect(await receive(QueueUrl)).toEqual([])
    expect(await receive(deadLetters.QueueUrl)).toMatchObject([{ MessageId, Body: 'poison' }])
    const none = JSON.stringify({
      deadLetterTargetArn: `${deadLetterTargetArn}-x`,
      maxReceiveCount: 2,
    })
    await expect(createQueue({ RedrivePolicy: none })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    })
  })

  test('hides a delayed message, and a long poll waits for it', async () => {
    const { createQueue, send, receive, attributesOf } = await startSqs()
    const { QueueUrl } = await createQueue()
    await send(QueueUrl, 'much later', 900)
    expect(await receive(QueueUrl)).toEqual([])
    await send(QueueUrl, 'late', 1)
    expect(await receive(QueueUrl, { wait: 20 })).toMatchObject([{ Body: 'late' }])
    expect(await attributesOf(QueueUrl)).toMatchObject({ ApproximateNumberOfMessagesDelayed: '1' })
    await expect(send(QueueUrl, 'too late', 901)).rejects.toMatchObject({
      name: 'ValidationException',
    })
  })

  test('ends a long poll with the first message, which only one receiver gets', async () => {
    const { createQueue, send, receive } = await startSqs()
    const { QueueUrl } = await createQueue()
    const polls = [receive(QueueUrl, { wait: 20 }), receive(QueueUrl, { wait: 20 })]
    await send(QueueUrl, 'first')
    expect(await Promise.race(polls)).toMatchObject([{ Body: 'first' }])
    await send(QueueUrl, 'second')
    const bodies = (await Promise.all(polls)).flat().map(({ Body }) => Body)
    expect(bodies.toSorted()).toEqual(['first', 'second'])
  })

  test('does not deliver a message to a caller that has disconnected', async () => {
    const { sqs, createQueue, send, receive } = await startSqs()
    const { QueueUrl } = await createQueue()
    const gone = new AbortController()
    const command = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 })
    const poll = sqs.send(command, { abortSignal: gone.signal })
    await new Promise((resolve) => setTimeout(resolve, 50))
    gone.abort()
    await expect(poll).rejects.toMatchObject({ name: 'AbortError' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await send(QueueUrl, 'kept')
    expect(await receive(QueueUrl)).toMatchObject([{ Body: 'kept' }])
  })
})
