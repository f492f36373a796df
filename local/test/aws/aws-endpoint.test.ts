import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { Level } from 'level'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../../test/support/command-fixture.ts'
import { startAwsEndpoint } from '../../aws/aws-endpoint.ts'
import { clientsOf, createTable, expectError, startAws } from './aws-clients.ts'

let aws: Awaited<ReturnType<typeof startAws>>
beforeEach(async () => {
  aws = await startAws()
})

/** Sends a request that no SDK would send. */
async function post(target: string | undefined, body: string) {
  const headers = { ...(target && { 'X-Amz-Target': target }) }
  const response = await fetch(aws.url, { method: 'POST', headers, body })
  return { status: response.status, body: await response.json() }
}

/** Records the iterators of LevelDB that are created until the test ends. */
function recordIterators() {
  const created = vi.spyOn(Level.prototype, 'iterator')
  onTestFinished(() => created.mockRestore())
  const isOpen = async ({ value }: (typeof created.mock.results)[number]) =>
    await value.next().then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'LEVEL_ITERATOR_NOT_OPEN',
    )
  return {
    created: () => created.mock.results.length,
    open: async () => (await Promise.all(created.mock.results.map(isOpen))).filter(Boolean).length,
  }
}

describe('DynamoDB', () => {
  test('has made a table active when CreateTable responds', async () => {
    const statusOfNew = async (TableName: string) => {
      await createTable(aws.dynamodb, TableName)
      const { Table } = await aws.dynamodb.describeTable({ TableName })
      return Table?.TableStatus
    }
    const names = Array.from({ length: 40 }, (_, index) => `items-${index}`)
    expect(new Set(await Promise.all(names.map(statusOfNew)))).toEqual(new Set(['ACTIVE']))
  })

  test('continues to serve after a client has disconnected during a request', async () => {
    const { hostname, port } = new URL(aws.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n'
    socket.write(`${head}Content-Length: 100\r\n\r\n{"half`)
    await setTimeout(20)
    socket.destroy()
    await once(socket, 'close')
    expect(await post('DynamoDB_20120810.GetItem', 'null')).toMatchObject({ status: 400 })
    const describing = aws.dynamodb.describeTable({ TableName: 'nowhere' })
    await expectError(describing, 'ResourceNotFoundException')
  })

  test('each read closes its iterator, whether it reads all items or the first ones', async () => {
    const { dynamodb } = aws
    await createTable(dynamodb, 'items', ['pk', 'sk'])
    const text = { S: 'x'.repeat(100_000) }
    const items = Array.from({ length: 25 }, (_, n) => ({
      PutRequest: { Item: { pk: { S: 'a' }, sk: { S: `${100 + n}` }, text } },
    }))
    await dynamodb.batchWriteItem({ RequestItems: { items } })

    const iterators = recordIterators()
    const query = (Limit?: number, ScanIndexForward = true) =>
      dynamodb.query({
        TableName: 'items',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'a' } },
        Limit,
        ScanIndexForward,
      })
    // The second page of 1 MB ends before the items end.
    const whole = await query()
    expect(whole.LastEvaluatedKey).toBeDefined()
    for (const limit of [1, 3, 25, 100]) expect((await query(limit)).Items?.length).toBeLessThan(26)
    await Promise.all(Array.from({ length: 20 }, (_, n) => query(1 + n, n % 2 === 0)))
    await dynamodb.scan({ TableName: 'items', Limit: 2 })
    await dynamodb.listTables({ Limit: 1 })
    expect(iterators.created()).toBe(27)
    await expect.poll(iterators.open).toBe(0)
  })
})

describe('the end', () => {
  test('waits for calls whose clients are gone', async () => {
    const log: string[] = []
    const { url, close } = await startAwsEndpoint({
      dataDir: newFolder(),
      log: (line) => log.push(line),
    })
    const { dynamodb } = clientsOf(url)
    await createTable(dynamodb, 'items')
    const gone = new AbortController()
    const writes = Array.from({ length: 40 }, (_, index) => {
      const put = { TableName: 'items', Item: { pk: { S: `${index}` } } }
      return dynamodb.putItem(put, { abortSignal: gone.signal })
    })
    await writes[0]
    gone.abort()
    await Promise.allSettled(writes)
    await close()
    // What comes too late finds the tables closed, and says so.
    await setTimeout(100)
    expect(log).toEqual([])
  })
})

describe('the protocol', () => {
  test('responds to an unknown action with an UnknownOperationException that names it', async () => {
    await expect(aws.kms.scheduleKeyDeletion({ KeyId: 'any' })).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: 'The operation TrentService.ScheduleKeyDeletion is not known to this endpoint',
    })
    for (const target of ['AmazonSQS.constructor', 'Nowhere.Action', 'TrentService', undefined]) {
      expect(await post(target, '{}')).toMatchObject({
        status: 400,
        body: { __type: 'UnknownOperationException' },
      })
    }
  })

  test.each([
    ['localhost:4566', 200],
    ['rebinding.example:4566', 403],
    ['', 403],
  ])('D53: with the header Host %j, the status is %i', async (host, status) => {
    const { hostname, port } = new URL(aws.url)
    const socket = connect(Number(port), hostname)
    const head = `POST / HTTP/1.1\r\nHost: ${host}\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n`
    socket.write(`${head}Connection: close\r\nContent-Length: 2\r\n\r\n{}`)
    const response = await text(socket)
    expect(response.split(' ')[1]).toBe(`${status}`)
    if (status === 403) expect(response).toContain('AccessDeniedException')
  })

  test('rejects malformed input', async () => {
    const serialization = { status: 400, body: { __type: 'SerializationException' } }
    for (const body of ['{', '[]', 'null', '"text"', '\ufeff{}']) {
      expect(await post('TrentService.CreateKey', body)).toMatchObject(serialization)
      expect(await post('DynamoDB_20120810.ListTables', body)).toMatchObject(serialization)
    }
    const validation = { status: 400, body: { __type: 'ValidationException' } }
    const wrong: [string, object][] = [
      ['TrentService.Sign', { KeyId: 'a', Message: '***', SigningAlgorithm: 'ECDSA_SHA_256' }],
      ['TrentService.DescribeKey', { KeyId: { $ne: null } }],
      ['AmazonSQS.CreateQueue', { QueueName: 'a', Attributes: { VisibilityTimeout: 3 } }],
      ['AmazonSQS.ReceiveMessage', { QueueUrl: 'a', MaxNumberOfMessages: 11 }],
      ['AmazonSQS.DeleteMessageBatch', { QueueUrl: 'a', Entries: [null] }],
      ['secretsmanager.CreateSecret', { Name: '' }],
    ]
    for (const [target, body] of wrong) {
      expect(await post(target, JSON.stringify(body))).toMatchObject(validation)
    }
    expect(await post('AmazonSQS.SendMessage', 'x'.repeat(16 * 1024 * 1024 + 1))).toMatchObject({
      status: 413,
    })
  })
})
