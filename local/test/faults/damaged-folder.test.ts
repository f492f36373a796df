import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { paginateScan } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../../../test/support/command-fixture.ts'
import { startAwsEndpoint } from '../../aws/aws-endpoint.ts'
import {
  type Clients,
  clientsOf,
  createP256Key,
  createTable,
  startAws,
} from '../aws/aws-clients.ts'

const putMany = (clients: Clients, first: number, last: number) => {
  const Item = (n: number) => ({ pk: { S: `${n}` }, text: { S: `${n} `.repeat(200) } })
  const puts = Array.from({ length: last - first }, (_, n) => ({
    PutRequest: { Item: Item(first + n) },
  }))
  const groups = Array.from({ length: puts.length / 25 }, (_, n) => puts.slice(n * 25, n * 25 + 25))
  const write = (burst: typeof puts) => clients.dynamodb.batchWriteItem({ RequestItems: { burst } })
  return Promise.all(groups.map(write))
}

/** Writes to each service, so that the tables have files of both kinds: table files and a log. */
async function fill(dataDir: string): Promise<{ close(): Promise<void> }> {
  const before = await startAws(dataDir)
  await createTable(before.dynamodb, 'burst')
  await before.sqs.createQueue({ QueueName: 'queue' })
  await putMany(before, 0, 500)
  await before.close()
  const after = await startAws(dataDir)
  await putMany(after, 500, 600)
  await after.dynamodb.putItem({ TableName: 'burst', Item: { pk: { S: 'last' } } })
  const { KeyId: TargetKeyId } = await createP256Key(after.kms)
  await after.kms.createAlias({ AliasName: 'alias/key', TargetKeyId })
  await after.secretsManager.createSecret({ Name: 'secret', SecretString: 'text' })
  for (const MessageBody of ['one', 'two']) {
    await after.sqs.sendMessage({ QueueUrl: 'queue', MessageBody })
  }
  return after
}

async function contentOf({ dynamodb, kms, sqs, secretsManager }: Clients): Promise<unknown> {
  const items: unknown[] = []
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName: 'burst' })) {
    items.push(...Items)
  }
  const AttributeNames = ['ApproximateNumberOfMessages' as const]
  const queue = await sqs.getQueueAttributes({ QueueUrl: 'queue', AttributeNames })
  const { PublicKey = [] } = await kms.getPublicKey({ KeyId: 'alias/key' })
  const secret = await secretsManager.getSecretValue({ SecretId: 'secret' })
  return [items, Buffer.from(PublicKey).toString('hex'), queue.Attributes, secret.SecretString]
}

/** The files with data. LevelDB's LOCK and LOG, and the lock of the folder, have none. */
const filesIn = (dataDir: string): string[] =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(LOCK|LOG|LOG\.old)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(dataDir.length + 1))
    .filter((name) => !name.startsWith('lock'))

type Damage = [name: string, damage: (file: string, content: Buffer) => void]

const flip = (place: number): Damage => [
  `another byte at ${place * 100} %`,
  (file, content) => {
    const at = Math.min(Math.floor(content.length * place), content.length - 1)
    content[at] = (content[at] ?? 0) ^ 0x11
    writeFileSync(file, content)
  },
]

const damages: Damage[] = [
  ...[0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1].map(flip),
  ['no file', (file) => rmSync(file)],
  ['no content', (file) => truncateSync(file)],
  ['half of the content', (file, { length }) => truncateSync(file, length >> 1)],
  ['no last byte', (file, { length }) => truncateSync(file, length - 1)],
  ['no last hundred bytes', (file, { length }) => truncateSync(file, Math.max(0, length - 100))],
  ['zeros', (file, { length }) => writeFileSync(file, Buffer.alloc(length))],
]

describe.each(['was closed', 'was killed'])('damage of a folder whose process %s', (end) => {
  test('never loses anything in silence', async () => {
    const [source, whole] = [newFolder(), newFolder()]
    const filled = await fill(source)
    // A copy of the files of a running process is what remains after kill -9.
    if (end === 'was closed') await filled.close()
    cpSync(source, whole, { recursive: true })
    // An empty log has nothing to lose.
    const files = filesIn(whole).filter((file) => statSync(join(whole, file)).size > 0)
    expect(files.some((file) => file.endsWith('.ldb'))).toBe(true)
    const copy = newFolder()
    /** Returns the content, or the message of the failure to open the folder. */
    const opened = async () => {
      const endpoint = await startAwsEndpoint({ dataDir: copy }).catch((error: Error) => error)
      if (endpoint instanceof Error) return endpoint.message
      const content = await contentOf(clientsOf(endpoint.url))
      await endpoint.close()
      return content
    }
    cpSync(whole, copy, { recursive: true })
    const expected = await opened()
    expect(expected).toMatchObject([{ length: 601 }, {}, {}, 'text'])

    const found: string[] = []
    for (const file of files) {
      for (const [name, damage] of damages) {
        const content = readFileSync(join(whole, file))
        rmSync(copy, { recursive: true })
        cpSync(whole, copy, { recursive: true })
        damage(join(copy, file), content)
        const actual = await opened()
        if (typeof actual === 'string') {
          expect(actual, `${file}: ${name}`).toMatch(
            /^\/.* is damaged \(.*\): restore the folder from a copy, or empty it with npm start -- --fresh$/,
          )
          found.push(`${file}: ${name}`)
        } else {
          expect(actual, `${file}: ${name}`).toEqual(expected)
        }
      }
    }
    const all = files.flatMap((file) => damages.map(([name]) => `${file}: ${name}`))
    expect(found).toEqual(all)
  })
})

describe('a folder', () => {
  const failureOf = async (dataDir: string) => {
    const failure = await startAwsEndpoint({ dataDir }).catch((error: Error) => error)
    expect(failure).toBeInstanceOf(Error)
    return (failure as Error).message
  }

  test('with a table that was not finished when its process was killed opens', async () => {
    const dataDir = newFolder()
    await (await startAws(dataDir)).close()
    // LevelDB writes the log of this run to a table.
    await (await startAws(dataDir)).close()
    const folder = join(dataDir, 'dynamodb')
    const table = readdirSync(folder).find((name) => name.endsWith('.ldb')) ?? ''
    const unfinished = join(folder, '000099.ldb')
    writeFileSync(unfinished, readFileSync(join(folder, table)).subarray(0, -10))
    await startAws(dataDir)
    expect(existsSync(unfinished)).toBe(false)
  })

  test('with a file that cannot be read is rejected with the name of the file', async () => {
    const dataDir = newFolder()
    const file = join(dataDir, 'dynamodb-writes')
    mkdirSync(file)
    expect(await failureOf(dataDir)).toBe(`${file} cannot be read (EISDIR)`)
  })
})
