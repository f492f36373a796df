import { beforeEach, describe, expect, test } from 'vitest'
import type { CheckedProperties } from '../../../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { startTestAws } from '../../../support/aws/test-aws.ts'
import { create, stackIn, update, version } from '../../../support/check-requests.ts'

const { interfere, resources } = await startTestAws()
const success = { Status: 'SUCCESS', Reason: '' }

beforeEach(() => interfere(stackIn('UPDATE_IN_PROGRESS')))

const issuing = (PlayerTokenIssuers: string[], more: Partial<CheckedProperties> = {}) =>
  version({}, { PlayerTokenIssuers, ...more })

describe('D90: an update without the issuer that player tokens get now', () => {
  test.each([
    [['login'], ['nfts']],
    [['nfts', 'login'], ['login']],
  ])('is refused from %j to %j', async (before, after) => {
    const { Status, Reason } = await update(issuing(before), issuing(after))
    expect([Status, Reason]).toEqual([
      'FAILED',
      `playerTokenIssuers: "${before[0]}", which player tokens get now, is missing (without the setting, they get that of issuer), so that every player token would be rejected at once. Keep it in the list: docs/connect-your-platform.md#what-one-token-can-do-and-how-it-ends. If all players may need new player tokens, set "dropAllKeys": true for this one deployment.`,
    ])
  })

  test.each([
    [['login'], ['login']],
    [['login'], ['login', 'nfts']],
    [
      ['login', 'nfts'],
      ['nfts', 'login'],
    ],
    [['nfts', 'login'], ['nfts']],
  ])('is no update from %j to %j', async (before, after) => {
    expect(await update(issuing(before), issuing(after))).toMatchObject(success)
  })

  test('is no first deployment, and none that drops all keys', async () => {
    const { Keys } = version({ playerTokens: [resources.playerTokenKeyArn] })
    expect(await create(issuing(['nfts'], { Keys }))).toMatchObject(success)
    const dropping = issuing(['nfts'], { DropAllKeys: 'true' })
    expect(await update(issuing(['login']), dropping)).toMatchObject(success)
  })

  test('is turned back without being refused again', async () => {
    const before = issuing(['login'])
    const { PhysicalResourceId } = await update(version(), before)
    const refused = await update(before, issuing(['nfts']), PhysicalResourceId)
    expect(refused).toMatchObject({ Status: 'FAILED', PhysicalResourceId })
    expect(await update(issuing(['nfts']), before, PhysicalResourceId)).toMatchObject(success)
  })
})
