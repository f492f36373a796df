import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs'
import { describe, expect, test } from 'vitest'
import { startSqs } from './aws-clients.ts'

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
