import { expect, test } from 'vitest'
import { smallQuota } from '../../../infra/api/stage-throttles.ts'
import { throttlesWithin } from '../../../infra/api/throttles.ts'
import { reservedExecutions } from '../../../infra/settings/reserved-concurrency.ts'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { during } from '../../deployed/account/account-only.ts'
import { accountArguments } from '../../deployed/account/arguments.ts'
import { trialSettings } from '../../deployed/account/checks.ts'
import { removeTrial } from '../../deployed/account/removal.ts'
import { newStage } from '../../deployed/account/trial-parts.ts'
import { neededConcurrency } from '../../deployed/account/trial-places.ts'
import { withoutIdentifiers } from '../../deployed/account/without-identifiers.ts'
import { type FakeAccount, serveAws } from './fake-aws.ts'

const account = '210987654321'
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
const inAccount = ['--account', account, '--region', 'eu-central-1']

test.each([
  [['--account', account], 'Name the Region with --region.'],
  [['--account', '12', '--region', 'eu-central-1'], '--account must be the 12 digits of an AWS'],
  ...['prod', 'trial-', 'trial-A1B2C3', 'trial-a1b2c3-indexer'].map((stage) => [
    [...inAccount, '--remove', stage],
    `--remove must be the stage of a trial, such as trial-a1b2c3: ${stage}.`,
  ]),
  [['--account', 'emulator', '--region', 'eu-central-1'], '--account emulator takes no other'],
  [['--account', 'emulator', '--remove', 'trial-a1b2c3'], '--account emulator takes no other'],
] as [string[], string][])('%j is refused', (args, sentence) => {
  expect(() => accountArguments(args)).toThrow(sentence)
})

test.each([true, false])('a trial can be deployed, without CloudFront: %s', (withoutCloudFront) => {
  const aws = { region: 'eu-central-1', credentials }
  // The fewest concurrent executions.
  const place = { account, aws, environment: {}, concurrency: neededConcurrency }
  const trial = { place, stage: newStage(), withoutCloudFront }
  const stored = JSON.stringify(trialSettings(trial, 'https://indexer.example/path'))
  const settings = deploymentSettings(JSON.parse(stored))
  expect(settings).toMatchObject({
    ...{ account, region: 'eu-central-1', trafficShift: 'canary' },
    ...{ followedChains: ['POLYGON'], keepData: false, dashboard: !withoutCloudFront },
    indexerUrl: 'https://indexer.example/path',
  })
  expect(settings.edge).toEqual(withoutCloudFront ? undefined : expect.anything())
  expect(reservedExecutions(settings)).toBe(0)
  // A trial of one machine never waits for a throttle of a route without a key.
  for (const { burstLimit } of Object.values(throttlesWithin(settings, smallQuota).routes)) {
    expect(burstLimit).toBeGreaterThanOrEqual(10)
  }
})

test('reads go on until a deployment ends, and those that fail are counted', async () => {
  const statuses = [200, 503, 404]
  const deploying = Promise.withResolvers<void>()
  const { end, failures } = await during(deploying.promise, async () => {
    const status = statuses.shift()
    if (status !== undefined) return status
    deploying.reject(new Error('UPDATE_ROLLBACK_COMPLETE'))
    throw new Error('no answer')
  })
  expect([end, failures]).toMatchObject([{ reason: new Error('UPDATE_ROLLBACK_COMPLETE') }, 2])
})

const stage = 'trial-a1b2c3'
const service = `PlayerNfts-${stage}`

/** Removes the trial from an account. Returns what remains, and the operations of AWS that were called. */
async function removeFrom(account: FakeAccount) {
  const { url: endpoint, operations } = await serveAws(account)
  const aws = { region: 'eu-central-1', endpoint, credentials }
  const remaining = await removeTrial({ aws, pollSeconds: 0.01, say: () => undefined }, stage)
  return { ...remaining, operations }
}

test.each([
  [
    'in the middle of an update, which is cancelled first',
    'UPDATE_IN_PROGRESS UPDATE_IN_PROGRESS UPDATE_ROLLBACK_IN_PROGRESS UPDATE_ROLLBACK_COMPLETE DELETE_IN_PROGRESS',
    ['CancelUpdateStack', 'DeleteStack'],
  ],
  [
    'again if its deletion fails',
    'CREATE_COMPLETE DELETE_IN_PROGRESS DELETE_FAILED',
    ['DeleteStack', 'DeleteStack'],
  ],
])('a stack is deleted %s', async (_, listed, changes) => {
  const statuses = listed.split(' ')
  const stack = (name: string) => (name === service ? statuses.shift() : undefined)
  const { faults, operations } = await removeFrom({ stack })
  expect(faults).toEqual([])
  expect(operations.filter((each) => /^(Cancel|Delete)/.test(each))).toEqual(changes)
})

const errorOf = (name: string, message: string) => Object.assign(new Error(message), { name })
const denied = errorOf('AccessDeniedException', 'an explicit deny')

test('what the stacks leave is removed, also later, and nothing of another name', async () => {
  const pending = { KeyState: 'PendingDeletion', DeletionDate: Date.UTC(2026, 11, 1) / 1_000 }
  const keys: Record<string, object> = {
    own: { Description: `${service}: player-token 1`, KeyState: 'Enabled' },
    pending: { Description: `${service}: user-jwt 1`, ...pending },
    other: { Description: 'PlayerNfts-prod: player-token 1', KeyState: 'Enabled' },
  }
  const tables = new Set([`${service}-restored`, 'PlayerNfts-prod-Table', `${service}0-Table`])
  const own = [`${service}-Functions-Logs`, `/aws/vendedlogs/${service}-1a2b/http-api`]
  const groups = new Set([...own, `${service}0-Functions-Logs`])
  // What AWS refuses before it succeeds.
  const refusals: Record<string, Error[]> = {
    ListKeys: [errorOf('DisabledException', 'not now')],
    DeleteTable: [1, 2].map(() => errorOf('ResourceInUseException', 'Table is being created')),
  }
  const answers: Record<string, (id: string) => object | undefined> = {
    ListKeys: () => ({ Keys: [...Object.keys(keys), 'hidden'].map((KeyId) => ({ KeyId })) }),
    DescribeKey(KeyId) {
      if (KeyId === 'hidden') throw denied
      return { KeyMetadata: { KeyId, ...keys[KeyId] } }
    },
    ScheduleKeyDeletion: (id) => Object.assign(keys[id] ?? {}, pending),
    ListTables: () => ({ TableNames: [...tables] }),
    DeleteTable: (id) => void tables.delete(id),
    DescribeLogGroups: () => ({
      logGroups: [...groups].map((logGroupName) => ({ logGroupName })),
    }),
    DeleteLogGroup: (id) => void groups.delete(id),
  }
  const removed: string[] = []
  const { stays, faults } = await removeFrom({
    answer(operation, body) {
      const id = `${Object.values(body)[0]}`
      const refusal = refusals[operation]?.shift()
      if (refusal) throw refusal
      if (/^(Delete|Schedule)/.test(operation)) removed.push(id)
      return answers[operation]?.(id)
    },
  })
  expect(faults).toEqual([])
  expect(stays).toEqual([
    'the key player-token 1, deleted on 2026-12-01',
    'the key user-jwt 1, deleted on 2026-12-01',
  ])
  expect(removed.toSorted()).toEqual(['own', `${service}-restored`, ...own].toSorted())
})

test('what may not be listed is reported, and the rest is removed', async () => {
  const tables = new Set([`${service}-restored`])
  const { faults } = await removeFrom({
    answer(operation, { TableName }) {
      if (operation === 'ListKeys') throw denied
      if (operation === 'DeleteTable') tables.delete(`${TableName}`)
      return operation === 'ListTables' ? { TableNames: [...tables] } : undefined
    },
  })
  expect(faults).toEqual(['could not be listed: the keys (an explicit deny)'])
  expect([...tables]).toEqual([])
})

const path = 'kR3wS_random-path-of-9xZ'

// What errors of AWS, of the CDK and of the API contain.
test.each([
  [`User: arn:aws:iam::${account}:user/owner is not authorized`, 'User: [ARN] is not authorized'],
  [`arn:aws-cn:lambda:cn-north-1:${account}:function:PlayerNfts-trial-a1b2c3-get-product`, '[ARN]'],
  [`(arn:aws:kms:eu-central-1:${account}:key/0f5a3c1e-7bdb-4524-a90b-b57457f6b3a9)`, '([ARN])'],
  ['https://abc123.execute-api.eu-central-1.amazonaws.com/api/v1?playerToken=x', '[URL]'],
  ['getaddrinfo ENOTFOUND d111111abcdef8.cloudfront.net', 'getaddrinfo ENOTFOUND [host]'],
  ['ECONNREFUSED 203.0.113.7:443 or 2001:db8:1:2::1', 'ECONNREFUSED [address] or [address]'],
  [`cdk-hnb659fds-assets-${account}-eu-central-1`, 'cdk-hnb659fds-assets-[account]-eu-central-1'],
  [`xyz.lambda-url.eu-central-1.on.aws/${path}/polygon-mainnet`, '[host]/[secret]/polygon-mainnet'],
  ['polygon-mainnet.g.alchemy.com/nft/v3/', '[host]/nft/v3/'],
  ['owner@studio.example, Owner.Of+it@mail.studio.co', '[mail address], [mail address]'],
  ['b6f1c383-7bdb-4524-a90b-b57457f6b3a9', '[id]'],
  ['eyJ0eXAiOiJwbGF5ZXIrand0IiwiYWxnIjoiRVMyNTYi.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '[token]'],
  ['AKIAIOSFODNN7EXAMPLE ASIAIOSFODNN7EXAMPLE', '[access key] [access key]'],
  ['wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY1', '[secret]'],
  ['abcDEF1234567890abcDEF1234567890abcDEF12345', '[secret]'],
  ...['✗ D69: test/api/get-allowed-nfts.test.ts: 4.8 lists NFTs (PlayerNfts-trial-a1b2c3)'].map(
    (unchanged) => [unchanged, unchanged],
  ),
] as [string, string][])('a trial prints %s as %s', (line, printed) => {
  expect(withoutIdentifiers(line, path)).toBe(printed)
})
