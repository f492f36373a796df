import { beforeEach, describe, expect, test } from 'vitest'
import type {
  CheckedProperties,
  KeyList,
} from '../../../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { startTestAws } from '../../../support/aws/test-aws.ts'
import {
  create,
  isDescribeStacks,
  one,
  stackIn,
  three,
  two,
  update,
  version,
} from '../../../support/check-requests.ts'

const { interfere, proxy } = await startTestAws()

beforeEach(() => interfere(stackIn('UPDATE_IN_PROGRESS')))

const success = { Status: 'SUCCESS', Reason: '' }
const arns: Readonly<Record<string, string>> = { '1': one, '2027': two, '2072': three }

/** A version with these generations of both keys, as their names in the settings. */
const rotated = (playerTokens: string[], userJwts = ['1'], more: Partial<CheckedProperties> = {}) =>
  version(
    {},
    { Keys: [listOf('player tokens', playerTokens), listOf('user JWTs', userJwts)], ...more },
  )

const listOf = (Purpose: string, Names: string[]): KeyList => ({
  ...{ Purpose, Alias: `alias/${Purpose}`, Names },
  Accepted: Names.map((name) => arns[name] ?? name),
  Setting: Purpose === 'player tokens' ? 'playerTokenKeys' : 'userJwtKeys',
})

const dropping = { DropAllKeys: 'true' }

describe('D75: an update that changes the keys with which KMS signs', () => {
  test('is refused if its first key is not accepted yet', async () => {
    const { Status, Reason } = await update(rotated(['1', '2027']), rotated(['2072', '1']))
    expect([Status, Reason]).toEqual([
      'FAILED',
      'playerTokenKeys: "2072" is first and would sign player tokens, but is not accepted yet. The keys that are accepted now: "1", "2027"; the first of them signs. Correct the names, or take the steps of docs/changes.md#rotating-a-key. If it is meant, for example after a leak, set "dropAllKeys": true for this one deployment.',
    ])
  })

  test('is refused if it drops the key that signs now', async () => {
    const { Status, Reason } = await update(rotated(['1'], ['1', '2027']), rotated(['1'], ['2027']))
    expect(Status).toBe('FAILED')
    expect(Reason).toContain('userJwtKeys: "1", which signs user JWTs now, is missing. The keys')
  })

  test('is refused with both reasons, and for both kinds of token', async () => {
    const { Reason } = await update(
      rotated(['1', '2027'], ['1', '2027']),
      rotated(['2072', '2027'], ['2072', '2027']),
    )
    expect(Reason).toContain('playerTokenKeys: "2072" is first and would sign player tokens, but')
    expect(Reason).toContain(', and "1", which signs player tokens now, is missing.')
    expect(Reason).toContain('userJwtKeys: "2072" is first and would sign user JWTs, but')
  })

  test.each([
    [['1'], ['1', '2027']],
    [
      ['1', '2027'],
      ['2027', '1'],
    ],
    [['2027', '1'], ['2027']],
    [
      ['2027', '1'],
      ['1', '2027'],
    ],
    [
      ['1', '2072'],
      ['1', '2027'],
    ],
  ])('is accepted from %j to %j', async (before, after) => {
    expect(await update(rotated(before), rotated(after))).toMatchObject(success)
  })

  test('is judged by nothing else if a login signs with public keys, whose order says nothing', async () => {
    const login = (...userJwts: string[]) => version({ userJwts })
    expect(await update(login('A', 'B'), login('B'))).toMatchObject(success)
    expect(await update(login('A', 'B'), login('C', 'B'))).toMatchObject(success)
  })

  test('is judged by D43 alone if the kind of login changes', async () => {
    const kms = version({ userJwts: [one] })
    expect((await update(kms, version({ userJwts: ['A'] }))).Reason).toContain('accepts none of')
    expect(await update(kms, version({ userJwts: ['A', one] }))).toMatchObject(success)
    expect(await update(kms, version({ userJwts: [] }))).toMatchObject(success)
  })

  test('is not a first deployment, in which any key can sign', async () => {
    expect(await create(rotated(['2072', '2027'], ['2027']))).toMatchObject(success)
  })
})

describe('D75: dropAllKeys', () => {
  test.each([
    ['an unknown key first', ['2072', '1']],
    ['the key that signs dropped', ['2027']],
    ['all keys dropped', ['2072']],
  ])('permits one deployment: %s', async (_, names) => {
    const before = rotated(['1', '2027'])
    expect((await update(before, rotated(names))).Status).toBe('FAILED')
    expect(await update(before, rotated(names, ['1'], dropping))).toMatchObject(success)
  })

  test('does not permit the deployment after it, with the setting or without', async () => {
    const replaced = rotated(['2027'], ['1'], dropping)
    expect((await update(replaced, rotated(['2072']))).Reason).toContain('accepts none of the keys')
    const { Status, Reason } = await update(replaced, rotated(['2072'], ['1'], dropping))
    expect(Status).toBe('FAILED')
    expect(Reason).toContain('"dropAllKeys": true was set in the deployment before too, and holds')
    expect(await update(replaced, rotated(['2027']))).toMatchObject(success)
    expect(await update(rotated(['2027']), rotated(['2072'], ['1'], dropping))).toMatchObject(
      success,
    )
  })

  test('can be repeated after a deployment with it that CloudFormation has rolled back', async () => {
    const before = rotated(['1'])
    const replaced = rotated(['2027'], ['1'], dropping)
    const { PhysicalResourceId } = await update(before, replaced)
    interfere(stackIn('UPDATE_ROLLBACK_IN_PROGRESS'))
    const back = await update(replaced, before, PhysicalResourceId)
    expect(back).toMatchObject(success)
    interfere(stackIn('UPDATE_IN_PROGRESS'))
    expect(await update(before, replaced, back.PhysicalResourceId)).toMatchObject(success)
  })
})

describe('D75: a roll-back of CloudFormation', () => {
  test.each([
    'UPDATE_ROLLBACK_IN_PROGRESS',
    // `aws cloudformation rollback-stack` after a deployment without roll-back.
    'ROLLBACK_IN_PROGRESS',
  ])('is never refused: %s', async (status) => {
    const original = rotated(['1', '2027'])
    const replaced = rotated(['2072'], ['1'], dropping)
    const current = (await update(rotated(['1']), original)).PhysicalResourceId
    const { PhysicalResourceId } = await update(original, replaced, current)
    expect((await update(replaced, original, PhysicalResourceId)).Status).toBe('FAILED')
    interfere(stackIn(status))
    const back = await update(replaced, original, PhysicalResourceId)
    expect(back).toMatchObject({ ...success, PhysicalResourceId: current })
  })

  test('is not refused because of a key or table that cannot be used any more', async () => {
    interfere(stackIn('UPDATE_ROLLBACK_IN_PROGRESS'))
    const gone = rotated(['1'], ['1'], { ImportedKeys: [one], RestoredTable: 'deleted' })
    expect(await update(rotated(['1']), gone)).toMatchObject(success)
  })

  test('is asked for only if there is a reason to refuse', async () => {
    const statusRequests = () => proxy.requests.filter(({ body }) => isDescribeStacks(body)).length
    const earlier = statusRequests()
    await update(rotated(['1']), rotated(['1', '2027']))
    expect(statusRequests()).toBe(earlier)
    await update(rotated(['1']), rotated(['2027']))
    expect(statusRequests()).toBe(earlier + 1)
  })

  test('is asked for again while the permission does not have its effect yet', async () => {
    const denied: string[] = []
    interfere({
      onRequest: (request) => {
        if (!isDescribeStacks(request.body) || denied.length > 0) {
          return stackIn('UPDATE_ROLLBACK_IN_PROGRESS').onRequest(request)
        }
        denied.push(request.action)
        return { status: 403, headers: { 'content-type': 'text/xml' }, body: error('AccessDenied') }
      },
    })
    expect(await update(rotated(['1']), rotated(['2027']))).toMatchObject(success)
    expect(denied).toHaveLength(1)
  })

  test('cannot be told if CloudFormation does not answer: the reason says how to continue', async () => {
    interfere({
      onRequest: ({ body }) =>
        isDescribeStacks(body)
          ? { status: 400, headers: { 'content-type': 'text/xml' }, body: error('ValidationError') }
          : undefined,
    })
    const { Status, Reason } = await update(rotated(['1']), rotated(['2027']))
    expect(Status).toBe('FAILED')
    expect(Reason).toContain('accepts none of the keys of player tokens')
    expect(Reason).toContain(
      'CloudFormation did not say whether it rolls the stack back (ValidationError: no). If it does, continue with: aws cloudformation continue-update-rollback --stack-name stack',
    )
    expect(await update(rotated(['1']), rotated(['1', '2027']))).toMatchObject(success)
  })
})

const error = (code: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`
