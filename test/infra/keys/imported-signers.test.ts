import { describe, expect, test } from 'vitest'
import type { Signers } from '../../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { create, version } from '../../support/check-requests.ts'
import { prodSettings, retainedKey, signInSettings } from '../../support/prod-settings.ts'
import { rolePermissions } from '../../support/role-permissions.ts'
import { checksOf, serviceTemplate } from '../../support/service-template.ts'

const aws = await startTestAws()
const [ofLogin, ofWallets] = ['signer', 'sign-in-signer'].map(
  (name) => `arn:aws:iam::123456789012:role/PlayerNfts-prod-${name}-eu-central-1`,
) as [string, string]
const signers: Signers = {
  Key: aws.resources.playerTokenKeyArn,
  Roles: [ofLogin, ofWallets],
}

const denialBut = (roles: string | readonly string[], Action: unknown = 'kms:Sign') => ({
  Effect: 'Deny',
  Principal: { AWS: '*' },
  Action,
  Resource: '*',
  Condition: { ArnNotEquals: { 'aws:PrincipalArn': roles } },
})

/** The answer to a version with these signers, if the policy of the key has this statement too. */
async function answerTo(statement: object, Signers: Signers | undefined = signers) {
  const account = { Effect: 'Allow', Action: 'kms:*', Resource: '*' }
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [account, statement] })
  aws.interfere({
    onRequest: ({ action }) =>
      action === 'GetKeyPolicy' ? { status: 200, body: { Policy } } : undefined,
  })
  const used = version({ playerTokens: [signers.Key] }, Signers && { Signers })
  const { Status, Reason } = await create(used)
  aws.interfere({})
  return [Status, Reason]
}

describe('D113: a key that the stack has not created, in a deployment with sign-in with wallets', () => {
  test.each([
    [ofLogin, 'kms:Sign'],
    [[ofLogin], ['kms:Verify', 'kms:Sign']],
    [ofLogin, 'kms:*'],
  ])('is refused if its policy denies signing to all but %j (%j)', async (roles, action) => {
    const [status, reason] = await answerTo(denialBut(roles, action))
    expect(status).toBe('FAILED')
    expect(reason).toContain(`${signers.Key} denies kms:Sign to ${ofWallets}, so`)
    const replacement = JSON.stringify(denialBut([ofLogin, ofWallets], action))
    expect(reason).toContain(`by ${replacement}.`)
  })

  test.each([
    ['permits both roles', denialBut([ofWallets, ofLogin])],
    ['denies something else', denialBut(ofLogin, 'kms:ScheduleKeyDeletion')],
    ['permits it', { ...denialBut(ofLogin), Effect: 'Allow' }],
  ])('is accepted if its policy %s', async (_, statement) => {
    expect(await answerTo(statement)).toEqual(['SUCCESS', ''])
  })

  test('is asked for its policy only then, and only if it signs', () => {
    const asks = (settings: Record<string, unknown>) => {
      const template = serviceTemplate(settings)
      const may = rolePermissions(template, 'deployment-checks')
      return [may.includes(`kms:GetKeyPolicy on ${retainedKey}`), checksOf(template).Signers]
    }
    const retained = { ...signInSettings, playerTokenKeys: [retainedKey] }
    expect(asks(retained)).toEqual([true, { Key: retainedKey, Roles: expect.any(Array) }])
    expect(checksOf(serviceTemplate(retained)).Signers.Roles).toHaveLength(2)
    const without = { ...prodSettings, playerTokenKeys: [retainedKey] }
    expect(asks(without)).toEqual([false, undefined])
    expect(asks({ ...retained, playerTokenKeys: ['2', retainedKey] })).toEqual([false, undefined])
  })
})
