import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Message } from '@aws-sdk/client-sqs'
import { describe, expect, test } from 'vitest'
import { expectError, startSqs } from './aws-clients.ts'

describe('SQS', () => {
  test('creates a queue once, and finds it by name', async () => {
    const { sqs, createQueue, url } = await startSqs()
    const { QueueName, QueueUrl } = await createQueue({ VisibilityTimeout: '60' })
    expect(QueueUrl).toBe(`${url}/000000000000/${QueueName}`)
    const again = { QueueName, Attributes: { VisibilityTimeout: '60' } }
    expect((await sqs.createQueue(again)).QueueUrl).toBe(QueueUrl)
    expect((await sqs.getQueueUrl({ QueueName })).QueueUrl).toBe(QueueUrl)
    const other = { QueueName, Attributes: { VisibilityTimeout: '61' } }
    await expectError(sqs.createQueue(other), 'QueueNameExists')
  })

  test('returns and changes attributes, and rejects invalid attributes', async () => {
    const { sqs, createQueue, attributesOf } = await startSqs()
    const { QueueName, QueueUrl } = await createQueue({ MessageRetentionPeriod: '60' })
    const set = (Attributes: Record<string, string>) =>
      sqs.setQueueAttributes({ QueueUrl, Attributes })
    await set({ VisibilityTimeout: '45' })
    expect(await attributesOf(QueueUrl)).toMatchObject({
      QueueArn: `arn:aws:sqs:us-east-1:000000000000:${QueueName}`,
      VisibilityTimeout: '45',
      MessageRetentionPeriod: '60',
      ApproximateNumberOfMessages: '0',
    })
    await expectError(set({ Colour: 'red' }), 'InvalidAttributeName')
    for (const wrong of ['-1', '43201', '1.5', 'x', '']) {
      await expectError(set({ VisibilityTimeout: wrong }), 'InvalidAttributeValue')
    }
  })

  test('deletes each entry of a batch on its own', async () => {
    const { sqs, createQueue, send, receive } = await startSqs()
    const { QueueUrl } = await createQueue()
    for (const body of ['one', 'two']) await send(QueueUrl, body)
    const messages = await receive(QueueUrl)
    expect(messages.map(({ Body }) => Body)).toEqual(['one', 'two'])
    const handles = [...messages.map(({ ReceiptHandle }) => ReceiptHandle), 'wrong']
    const Entries = handles.map((ReceiptHandle, i) => ({ Id: `${i}`, ReceiptHandle }))
    const deleted = await sqs.deleteMessageBatch({ QueueUrl, Entries })
    expect(deleted.Successful?.map(({ Id }) => Id)).toEqual(['0', '1'])
    expect(deleted.Failed).toMatchObject([
      { Id: '2', Code: 'ReceiptHandleIsInvalid', SenderFault: true },
    ])
  })

  test('accepts messages of up to 1 MiB with the allowed characters', async () => {
    const { createQueue, send, receive } = await startSqs()
    const { QueueUrl } = await createQueue()
    const largest = 'é'.repeat(524_288)
    await send(QueueUrl, largest)
    expect(await receive(QueueUrl)).toMatchObject([{ Body: largest }])
    await expectError(send(QueueUrl, `${largest}x`), 'InvalidParameterValue')
    await expectError(send(QueueUrl, 'a\u0000b'), 'InvalidMessageContents')
  })

  test('rejects unknown queues, invalid receipt handles and unsupported features', async () => {
    const { sqs, createQueue } = await startSqs()
    const { QueueUrl } = await createQueue()
    await expectError(sqs.getQueueUrl({ QueueName: 'constructor' }), 'QueueDoesNotExist')
    const foreign = { QueueUrl, ReceiptHandle: 'b3RoZXIvbWVzc2FnZS94' }
    await expectError(sqs.deleteMessage(foreign), 'ReceiptHandleIsInvalid')
    await expectError(sqs.createQueue({ QueueName: 'a.fifo' }), 'InvalidParameterValue')
    const MessageAttributes = { a: { DataType: 'String', StringValue: 'b' } }
    const withAttributes = { QueueUrl, MessageBody: 'x', MessageAttributes }
    await expectError(sqs.sendMessage(withAttributes), 'ValidationException')
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
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle })
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle })
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
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle })
    const [third] = await receive(QueueUrl, { wait: 20 })
    expect(third?.Attributes).toMatchObject({ ApproximateReceiveCount: '3' })
  })

  test('D122: lets the receiver of a message put it off, for up to twelve hours from its receive', async () => {
    const { sqs, createQueue, send, receive } = await startSqs()
    const { QueueUrl } = await createQueue({ VisibilityTimeout: '600' })
    const hide = (message: Message | undefined, VisibilityTimeout: number) => {
      const { ReceiptHandle } = message ?? {}
      return sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout })
    }
    await send(QueueUrl, 'put off')
    const [first] = await receive(QueueUrl)
    await hide(first, 43_000)
    expect(await receive(QueueUrl)).toEqual([])
    await hide(first, 1)
    const [second] = await receive(QueueUrl, { wait: 20 })
    expect(second).toMatchObject({ Body: 'put off', Attributes: { ApproximateReceiveCount: '2' } })
    await expectError(hide(first, 1), 'InvalidParameterValue')
    await sleep(5)
    await expectError(hide(second, 43_200), 'InvalidParameterValue')
    await expectError(hide(second, 43_201), 'ValidationException')
    await hide(second, 0)
    await expectError(hide(second, 1), 'MessageNotInflight')
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
    const none = RedrivePolicy.replace(`${deadLetterTargetArn}`, `${deadLetterTargetArn}-x`)
    await expectError(createQueue({ RedrivePolicy: none }), 'InvalidParameterValue')
  })

  test('hides a delayed message, and a long poll waits for it', async () => {
    const { createQueue, send, receive, attributesOf } = await startSqs()
    const { QueueUrl } = await createQueue()
    await send(QueueUrl, 'much later', 900)
    expect(await receive(QueueUrl)).toEqual([])
    await send(QueueUrl, 'late', 1)
    expect(await receive(QueueUrl, { wait: 20 })).toMatchObject([{ Body: 'late' }])
    expect(await attributesOf(QueueUrl)).toMatchObject({ ApproximateNumberOfMessagesDelayed: '1' })
    await expectError(send(QueueUrl, 'too late', 901), 'ValidationException')
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
    const asked = { QueueUrl, WaitTimeSeconds: 20 }
    const poll = sqs.receiveMessage(asked, { abortSignal: gone.signal })
    await sleep(50)
    gone.abort()
    await expect(poll).rejects.toMatchObject({ name: 'AbortError' })
    await sleep(50)
    await send(QueueUrl, 'kept')
    expect(await receive(QueueUrl)).toMatchObject([{ Body: 'kept' }])
  })
})
