import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { afterEach, expect, test } from 'vitest'
import type { TestAws } from '../aws/test-aws.ts'
import type { GrantedFunction } from './granted-functions.ts'
import type { GrantedService } from './granted-service.ts'

interface Tested {
  /** The names of the functions. */
  names: readonly string[]
  /** Makes a function perform every call that its code can make. */
  drive(name: string): Promise<void>
  /** What else uses permissions of a function, by its name. */
  usedBesides?: Readonly<Record<string, readonly string[]>>
  /** The resources that a function knows and does not call, by its name. */
  known?: Readonly<Record<string, readonly string[]>>
}

/** The longest time of a drive: snapshots of holdings wait for what settles. */
const driveMilliseconds = 400_000

/** Tests that functions have the permissions, resources and settings that their code uses, and no others. */
export function testLeastPrivilege(
  service: GrantedService,
  aws: TestAws,
  { names, drive, usedBesides = {}, known = {} }: Tested,
): void {
  const { granted, iam } = service
  const grantedTo = (name: string) => granted[name] as GrantedFunction
  afterEach(() => expect(iam.refused.splice(0)).toEqual([]))

  test.each(names)(
    '%s has permission to do what its code does, and nothing else',
    async (name) => {
      await drive(name)
      const calls = iam.calls.filter(({ caller }) => caller === name)
      const used = calls.flatMap(({ permissions }) => permissions)
      const { permissions } = grantedTo(name)
      // What a deployment leaves out, it does not need besides either.
      const besides = usedBesides[name]?.filter((each) => permissions.includes(each)) ?? []
      expect(permissions).toEqual([...new Set([...used, ...besides])].sort())
    },
    driveMilliseconds,
  )

  test('no function writes items of other kinds than its own', async () => {
    const [caller = ''] = names
    const client = new DynamoDBClient({
      ...aws.access,
      endpoint: iam.url,
      credentials: { accessKeyId: caller, secretAccessKey: 'any' },
    })
    const TableName = aws.resources.tableName
    const foreign = { pk: { S: 'SOMETHING#1' }, sk: { S: 'PROFILE' } }
    const RequestItems = { [TableName]: [{ PutRequest: { Item: foreign } }] }
    const writes = [
      new PutItemCommand({ TableName, Item: foreign }),
      new UpdateItemCommand({ TableName, Key: foreign }),
      new DeleteItemCommand({ TableName, Key: foreign }),
      new BatchWriteItemCommand({ RequestItems }),
    ]
    for (const write of writes) {
      await expect(client.send(write as PutItemCommand)).rejects.toThrow('not authorized')
    }
    client.destroy()
    expect(iam.refused.splice(0)).toEqual(
      ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'].map(
        (action) => `${caller}: dynamodb:${action} on Table for SOMETHING#1`,
      ),
    )
  })

  test('each function gets the names of the resources that it may call, and no others', () => {
    for (const name of names) {
      const { permissions, resources } = grantedTo(name)
      // What Lambda polls with the role of a function, the function itself need not name.
      const own = permissions.filter((each) => !usedBesides[name]?.includes(each))
      const called = own.map((permission) => permission.split(/ on | for /)[1])
      const all = new Set([...called, ...(known[name] ?? [])])
      expect(resources, name).toEqual([...all].sort())
    }
  })

  test('each function gets the settings that it reads, and no others', async () => {
    const read = names.map(async (name) => [name, await settingsReadBy(name, service)])
    const given = names.map((name) => [name, grantedTo(name).settings])
    expect(Object.fromEntries(await Promise.all(read))).toEqual(Object.fromEntries(given))
  })
}

/** The settings without which a function does not start: malformed ones, or its own settings if unset or an empty list. */
async function settingsReadBy(name: string, { granted, start }: GrantedService): Promise<string[]> {
  const all = Object.assign({}, ...Object.values(granted).map(({ environment }) => environment))
  const readAmong = async (settings: readonly string[], spoilt: string): Promise<string[]> => {
    if (settings.length === 0) return []
    const values = Object.fromEntries(settings.map((setting) => [setting, spoilt]))
    const complaint = await start(name, { ...all, ...values })
    const read = settings.filter((setting) => complaint.includes(setting))
    // The function reports some settings only after others are valid.
    const rest = settings.filter((setting) => !read.includes(setting))
    return read.length === 0 ? [] : [...read, ...(await readAmong(rest, spoilt))]
  }
  const everybodys = Object.values(granted).flatMap(({ settings }) => settings)
  const read = await readAmong([...new Set(everybodys)], '?')
  for (const spoilt of ['', ',']) {
    const others = granted[name]?.settings.filter((setting) => !read.includes(setting)) ?? []
    read.push(...(await readAmong(others, spoilt)))
  }
  return read.sort()
}
