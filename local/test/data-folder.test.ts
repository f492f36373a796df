import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { CreateAliasCommand, DescribeKeyCommand, GetPublicKeyCommand } from '@aws-sdk/client-kms'
import { CreateSecretCommand, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../test/support/command-fixture.ts'
import { onWindows } from '../../test/support/vitest/windows.ts'
import { startAwsEndpoint } from '../aws/aws-endpoint.ts'
import { type Clients, clientsOf, createP256Key, createTable, startAws } from './aws/aws-clients.ts'

/** Writes to each service, under names with `i`. Resolves when all services have responded. */
const writeOneOfEach = async (clients: Clients, i: number) => {
  const { dynamodb, kms, sqs, secretsManager } = clients
  await Promise.all([
    dynamodb.send(new PutItemCommand({ TableName: 'burst', Item: { pk: { S: `${i}` } } })),
    createP256Key(kms).then(({ KeyId }) =>
      kms.send(new CreateAliasCommand({ AliasName: `alias/${i}`, TargetKeyId: KeyId })),
    ),
    sqs.send(new SendMessageCommand({ QueueUrl: 'burst', MessageBody: `${i}` })),
    secretsManager.send(new CreateSecretCommand({ Name: `${i}`, SecretString: `value ${i}` })),
  ])
}

const createTableAndQueue = async ({ dynamodb, sqs }: Clients) => {
  await dynamodb.send(createTable('burst'))
  await sqs.send(new CreateQueueCommand({ QueueName: 'burst' }))
}

/** Reads everything that {@link writeOneOfEach} has written. */
const readAll = async (clients: Clients) => {
  const { dynamodb, kms, sqs, secretsManager } = clients
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'burst' }))
  const poll = new ReceiveMessageCommand({ QueueUrl: 'burst', MaxNumberOfMessages: 10 })
  const receive = async () => (await sqs.send(poll)).Messages ?? []
  const bodies: unknown[] = []
  for (let received = await receive(); received.length > 0; received = await receive()) {
    bodies.push(...received.map(({ Body }) => Body))
  }
  const secret = async (i: number) =>
    (await secretsManager.send(new GetSecretValueCommand({ SecretId: `${i}` }))).SecretString
  const keyId = async (i: number) =>
    (await kms.send(new DescribeKeyCommand({ KeyId: `alias/${i}` }))).KeyMetadata?.KeyId
  return {
    keyId,
    items: new Set(Items.map(({ pk }) => Number(pk?.S))),
    messages: new Set(bodies.map(Number)),
    secret,
  }
}

describe('the data folder', () => {
  test('keeps everything after close and start', async () => {
    const before = await startAws()
    await createTableAndQueue(before)
    for (const i of [0, 1, 2]) await writeOneOfEach(before, i)
    const poll = { QueueUrl: 'burst', MaxNumberOfMessages: 1, VisibilityTimeout: 600 }
    const { Messages = [] } = await before.sqs.send(new ReceiveMessageCommand(poll))
    const publicKey = async ({ kms }: typeof before) =>
      (await kms.send(new GetPublicKeyCommand({ KeyId: 'alias/1' }))).PublicKey
    const keyBefore = await publicKey(before)
    await before.close()

    const after = await startAws(before.dataDir)
    expect(await publicKey(after)).toEqual(keyBefore)
    const { items, keyId, messages, secret } = await readAll(after)
    expect(items).toEqual(new Set([0, 1, 2]))
    expect(new Set(await Promise.all([0, 1, 2].map(keyId))).size).toBe(3)
    // The message in flight stays in flight, and its receipt handle stays valid.
    const inFlight = Number(Messages[0]?.Body)
    expect(messages).toEqual(new Set([0, 1, 2].filter((i) => i !== inFlight)))
    expect(await secret(2)).toBe('value 2')
    const receipt = { QueueUrl: 'burst', ReceiptHandle: Messages[0]?.ReceiptHandle }
    const inFlightNow = async () => {
      const AttributeNames = ['ApproximateNumberOfMessagesNotVisible'] as const
      const request = { QueueUrl: 'burst', AttributeNames: [...AttributeNames] }
      const { Attributes } = await after.sqs.send(new GetQueueAttributesCommand(request))
      return Attributes?.['ApproximateNumberOfMessagesNotVisible']
    }
    expect(await inFlightNow()).toBe('3')
    await after.sqs.send(new DeleteMessageCommand(receipt))
    expect(await inFlightNow()).toBe('2')
    // Windows has no file modes.
    const { mode } = statSync(join(before.dataDir, 'dynamodb'))
    if (!onWindows) expect(mode & 0o777).toBe(0o700)
  })

  test('keeps a message in the dead-letter queue', async () => {
    const before = await startAws()
    await before.sqs.send(new CreateQueueCommand({ QueueName: 'dead' }))
    const deadLetterTargetArn = 'arn:aws:sqs:us-east-1:000000000000:dead'
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 })
    const work = { QueueName: 'work', Attributes: { RedrivePolicy, VisibilityTimeout: '0' } }
    await before.sqs.send(new CreateQueueCommand(work))
    await before.sqs.send(new SendMessageCommand({ QueueUrl: 'work', MessageBody: 'poison' }))
    for (const _ of [1, 2]) await before.sqs.send(new ReceiveMessageCommand({ QueueUrl: 'work' }))
    await before.close()

    const { sqs } = await startAws(before.dataDir)
    const receive = async (QueueUrl: string) =>
      (await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages
    expect(await receive('dead')).toMatchObject([{ Body: 'poison' }])
    expect(await receive('work')).toBeUndefined()
  })

  test('close ends long polls and can be repeated', async () => {
    const { sqs, close } = await startAws()
    await sqs.send(new CreateQueueCommand({ QueueName: 'idle' }))
    const poll = sqs.send(new ReceiveMessageCommand({ QueueUrl: 'idle', WaitTimeSeconds: 20 }))
    const ended = Promise.allSettled([poll])
    await new Promise((resolve) => setTimeout(resolve, 50))
    await close()
    await ended
    await close()
  })

  /** Starts an endpoint in another process. */
  const startElsewhere = async (dataDir: string): Promise<{ child: ChildProcess; url: string }> => {
    const module = new URL('../aws/aws-endpoint.ts', import.meta.url)
    const program = `import { startAwsEndpoint } from '${module}'
      const { url } = await startAwsEndpoint({ dataDir: process.argv[1] })
      console.log(url)`
    const args = ['--input-type=module', '--eval', program, dataDir]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [url] = await once(createInterface(child.stdout), 'line')
    return { child, url }
  }

  test('keeps all acknowledged writes after kill -9 during a burst of writes', async () => {
    const dataDir = newFolder()
    const acknowledged: number[] = []
    let next = 0
    for (const round of [1, 2, 3]) {
      const { child, url } = await startElsewhere(dataDir)
      const clients = clientsOf(url)
      if (round === 1) await createTableAndQueue(clients)
      const killed = new AbortController()
      const writer = async () => {
        while (!killed.signal.aborted) {
          const i = next++
          await writeOneOfEach(clients, i)
          acknowledged.push(i)
          if (acknowledged.length >= round * 15 && !killed.signal.aborted) {
            killed.abort()
            child.kill('SIGKILL')
          }
        }
      }
      await Promise.allSettled(Array.from({ length: 5 }, writer))
      if (child.signalCode === null) await once(child, 'exit')
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(45)

    const { items, keyId, messages, secret } = await readAll(await startAws(dataDir))
    for (const i of acknowledged) {
      const there = [items.has(i), messages.has(i), await secret(i)]
      expect(there).toEqual([true, true, `value ${i}`])
      expect(await keyId(i)).toEqual(expect.any(String))
    }
  })

  test('is rejected if this or another process uses it', async () => {
    const dataDir = newFolder()
    const { child } = await startElsewhere(dataDir)
    const inUse = `${dataDir} is in use by another process`
    await expect(startAwsEndpoint({ dataDir })).rejects.toThrow(inUse)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { close } = await startAws(dataDir)
    await expect(startAwsEndpoint({ dataDir })).rejects.toThrow(inUse)
    await close()
    await startAws(dataDir)
  })

  test('is released if the port is taken', async () => {
    const holder = createServer()
    await once(holder.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void holder.close())
    const address = holder.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const dataDir = newFolder()
    await expect(startAwsEndpoint({ dataDir, port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 cannot be listened on (EADDRINUSE)`,
    )
    await startAws(dataDir)
  })
})
