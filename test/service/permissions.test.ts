import { isDeepStrictEqual } from 'node:util'
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { samples } from '@player-nfts/local/samples'
import { sampleWorld } from '@player-nfts/local/samples/sample-world'
import { afterEach, describe, expect, test } from 'vitest'
import { workerName } from '../../infra/bundle/bundle.ts'
import { delivererName, followerName } from '../../lib/contract/background-names.ts'
import { functionName } from '../../lib/contract/route.ts'
import { loginPublicKey, startTestAws, type TestAws } from '../support/aws/test-aws.ts'
import { backgroundDrives } from '../support/drives/background-drives.ts'
import { keepingDrive } from '../support/drives/keeping-drive.ts'
import { operationDrives } from '../support/drives/operation-drives.ts'
import { signInDrives } from '../support/drives/sign-in-drives.ts'
import { webhookDrives } from '../support/drives/webhook-drives.ts'
import { signInOperationIds } from '../support/operations.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import type { GrantedFunction } from '../support/services/granted-functions.ts'
import { type GrantedService, startGrantedService } from '../support/services/granted-service.ts'
import { startTestIndexer } from '../support/services/own-service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const world = sampleWorld()
const { url: target } = await startTestIndexer(world, atFileEnd)
const indexer = await startFaultProxy({ target }, atFileEnd)

async function withoutIndexer<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  indexer.interfere({ onRequest: () => ({ status: 500 }) })
  const answer = await call()
  indexer.interfere({})
  return answer
}

/** Everything that a deployment can have, and all settings that become environment variables of a function. */
const everything = {
  indexerUrl: indexer.url,
  serviceToken: `${samples.serviceToken.chain}:${samples.serviceToken.address}:18`,
  ...{ ipfsGateway: 'https://ipfs.example/', arweaveGateway: 'https://arweave.example/' },
  ...{ followedChains: ['POLYGON', 'BSC'], followPollSeconds: 1, settlingSeconds: 0 },
  ...{ registrationsPerHour: 240, registrationsPerAddressAndHour: 240 },
  indexerCallsPerProductAndMinute: 500,
  ...{ webhooks: {}, webhookTestsPerProductAndHour: 10, webhookReplaysPerHour: 4 },
  ...{ edge: {}, walletSignIn: { page: 'play.example' }, userIds: 'assigned' },
}

/** A deployment with these changes, and what makes its functions do all that they can. */
async function deploymentWith(changesFor: (aws: TestAws) => object | Promise<object>) {
  const aws = await startTestAws()
  const settings: typeof everything & { keptContracts?: number } = {
    ...everything,
    ...(await changesFor(aws)),
  }
  // It has read no public key, so that the functions need all of their permissions.
  const service = await startGrantedService(aws, settings, '')
  const keep =
    settings.keptContracts === 0 ? async () => undefined : keepingDrive(service, aws, world)
  const drives: Record<string, () => Promise<unknown>> = {
    ...operationDrives(service, aws, withoutIndexer),
    ...backgroundDrives(service, aws, world),
    ...webhookDrives(service, aws),
    ...signInDrives(service, aws),
  }
  for (const name of ['get-raw-metadata', 'get-structured-metadata', workerName, followerName]) {
    const drive = drives[name]
    drives[name] = async () => {
      await keep()
      await drive?.()
    }
  }
  return { aws, service, drives, hasWebhooks: settings.webhooks !== undefined }
}

type Deployment = Awaited<ReturnType<typeof deploymentWith>>

/** The actions that Lambda itself, not the code of a function, performs with its role: it polls the queue. */
const polling = (queue: string) =>
  ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
    (action) => `sqs:${action} on ${queue}`,
  )

const releaseNonce = 'dynamodb:DeleteItem on Table for NONCE#*'

const usedBesides: Readonly<Record<string, readonly string[]>> = {
  [workerName]: polling('WorkQueue'),
  [delivererName]: [...polling('WebhookQueue'), ...polling('WebhookQueueTests')],
  // What is remembered of a wallet that a user adds at the moment in which the last other one moves.
  // And the nonce of a proof that a limit refuses after it was used up, because others have spent the limit meanwhile.
  'sign-in': [releaseNonce],
  'add-wallet': ['dynamodb:BatchWriteItem on Table for WALLET#*', releaseNonce],
  'remove-wallet': [releaseNonce],
}

/** Registers as many products as the limit permits, so that none can be registered afterwards. */
const last = 'register-product'

/** The longest time of a drive: snapshots of holdings wait for what settles. */
const driveMilliseconds = 400_000

/** Tests that functions have the permissions, resources and settings that their code uses, and no others. */
function testLeastPrivilege(
  { service, aws, drives, hasWebhooks }: Deployment,
  functionNames: readonly string[],
) {
  const { granted, iam } = service
  const names = functionNames.toSorted(
    (one, other) => Number(one === last) - Number(other === last),
  )
  const grantedTo = (name: string) => granted[name] as GrantedFunction
  afterEach(() => expect(iam.refused.splice(0)).toEqual([]))

  test.each(names)(
    '%s has permission to do what its code does, and nothing else',
    async (name) => {
      await drives[name]?.()
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
      // It only tells whether there are webhooks.
      const known = name === 'get-openapi' && hasWebhooks ? ['WebhookQueue'] : []
      const all = new Set([...called, ...known])
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

const whole = await deploymentWith(() => ({}))

/** The functions that a deployment has with other permissions, resources or settings than the deployment with everything. */
const differingIn = ({ granted }: GrantedService): string[] =>
  Object.keys(granted).filter(
    (name) => !isDeepStrictEqual(given(granted[name]), given(whole.service.granted[name])),
  )

const given = ({ permissions, resources, settings }: Partial<GrantedFunction> = {}) => [
  ...[permissions, resources, settings],
]

describe('D113, D124: least privilege, with everything', () => {
  test('no function of sign-in reads items of every kind', () => {
    const readsAll = /^dynamodb:(GetItem|Query|BatchGetItem) on Table$/
    const { granted } = whole.service
    const permissions = signInOperationIds
      .map(functionName)
      .flatMap((name) => granted[name]?.permissions ?? [])
    expect(permissions.filter((permission) => readsAll.test(permission))).toEqual([])
    expect(permissions).toContain('dynamodb:GetItem on Table for PLAYER#*')
  })

  testLeastPrivilege(whole, Object.keys(whole.service.granted))
})

const deployments: readonly [string, (aws: TestAws) => object | Promise<object>][] = [
  ['remembered balances', () => ({ rememberSeconds: 3_600 })],
  ['an external login', async (aws) => ({ loginPublicKeys: [await loginPublicKey(aws)] })],
  [
    'nothing that is optional',
    () => ({
      ...{ webhooks: undefined, edge: undefined, walletSignIn: undefined, userIds: 'subject' },
      keptContracts: 0,
    }),
  ],
]

describe.each(deployments)('least privilege, with %s: what differs', async (_, changesFor) => {
  const deployment = await deploymentWith(changesFor)
  testLeastPrivilege(deployment, differingIn(deployment.service))
})
