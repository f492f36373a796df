import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newFolder, run } from '../../test/support/command-fixture.ts'
import { onWindows } from '../../test/support/vitest/windows.ts'
import { noteRunning, noteStopped, runningStack } from '../running-stack.ts'
import { type Clients, clientsOf, createP256Key, createTable, startAws } from './aws/aws-clients.ts'

/** Writes to each service, under names with `i`. Resolves when all services have responded. */
const writeOneOfEach = async (clients: Clients, i: number) => {
  const { dynamodb, kms, sqs, secretsManager } = clients
  await Promise.all([
    dynamodb.putItem({ TableName: 'burst', Item: { pk: { S: `${i}` } } }),
    createP256Key(kms).then(({ KeyId }) =>
      kms.createAlias({ AliasName: `alias/${i}`, TargetKeyId: KeyId }),
    ),
    sqs.sendMessage({ QueueUrl: 'burst', MessageBody: `${i}` }),
    secretsManager.createSecret({ Name: `${i}`, SecretString: `value ${i}` }),
  ])
}

const createTableAndQueue = async ({ dynamodb, sqs }: Clients) => {
  await createTable(dynamodb, 'burst')
  await sqs.createQueue({ QueueName: 'burst' })
}

/** Reads everything that {@link writeOneOfEach} has written. */
const readAll = async (clients: Clients) => {
  const { dynamodb, kms, sqs, secretsManager } = clients
  const { Items = [] } = await dynamodb.scan({ TableName: 'burst' })
  const poll = { QueueUrl: 'burst', MaxNumberOfMessages: 10 }
  const receive = async () => (await sqs.receiveMessage(poll)).Messages ?? []
  const bodies: unknown[] = []
  for (let received = await receive(); received.length > 0; received = await receive()) {
    bodies.push(...received.map(({ Body }) => Body))
  }
  const secret = async (i: number) =>
    (await secretsManager.getSecretValue({ SecretId: `${i}` })).SecretString
  const keyId = async (i: number) =>
    (await kms.describeKey({ KeyId: `alias/${i}` })).KeyMetadata?.KeyId
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
    const { Messages = [] } = await before.sqs.receiveMessage(poll)
    const publicKey = async ({ kms }: typeof before) =>
      (await kms.getPublicKey({ KeyId: 'alias/1' })).PublicKey
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
      const AttributeNames = ['ApproximateNumberOfMessagesNotVisible' as const]
      const request = { QueueUrl: 'burst', AttributeNames }
      const { Attributes } = await after.sqs.getQueueAttributes(request)
      return Attributes?.ApproximateNumberOfMessagesNotVisible
    }
    expect(await inFlightNow()).toBe('3')
    await after.sqs.deleteMessage(receipt)
    expect(await inFlightNow()).toBe('2')
    // Windows has no file modes.
    const { mode } = statSync(join(before.dataDir, 'dynamodb'))
    if (!onWindows) expect(mode & 0o777).toBe(0o700)
  })

  test('close ends long polls and can be repeated', async () => {
    const { sqs, close } = await startAws()
    await sqs.createQueue({ QueueName: 'idle' })
    const poll = sqs.receiveMessage({ QueueUrl: 'idle', WaitTimeSeconds: 20 })
    const ended = Promise.allSettled([poll])
    await new Promise((resolve) => setTimeout(resolve, 50))
    await close()
    await ended
    await close()
  })

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
})

const userJwtKey = { keyId: 'k', issuer: 'i', audience: 'a', region: 'r' }

test('a second stack on a folder leaves the note of the first one', async () => {
  const folder = newFolder()
  const first = { pid: process.ppid, url: 'http://127.0.0.1:1', userJwtKey }
  const second = { pid: process.pid, url: 'http://127.0.0.1:2', userJwtKey }
  expect(await noteRunning(folder, first)).toBeUndefined()
  expect(await noteRunning(folder, second)).toEqual(first)
  await noteStopped(folder)
  expect(await runningStack(folder)).toEqual(first)
})

test('a stack replaces the note of a stack that has ended', async () => {
  const folder = newFolder()
  const ended = run('scripts/user-token.ts', ['--help'])
  await ended.ended
  const note = { pid: ended.child.pid, url: 'http://127.0.0.1:1', userJwtKey }
  writeFileSync(join(folder, 'running.json'), JSON.stringify(note))
  const next = { pid: process.pid, url: 'http://127.0.0.1:2', userJwtKey }
  expect(await noteRunning(folder, next)).toBeUndefined()
  expect(await runningStack(folder)).toEqual(next)
})
