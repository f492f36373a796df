import { describe, expect, test } from 'vitest'
import {
  type Described,
  deploymentDescription,
  describedVersion,
  permissionDigests,
  withPermissions,
} from '../../../infra/lambda/deployment-id.ts'
import { functionName } from '../../../lib/contract/route.ts'
import { usualOperationIds } from '../../support/operations.ts'
import { edge, prodSettings, retainedKey } from '../../support/prod-settings.ts'
import {
  aliasedFunction,
  type ServiceTemplate,
  serviceTemplate,
} from '../../support/service-template.ts'

const prod = serviceTemplate(prodSettings)
const names = [...usualOperationIds.map(functionName), 'work-queue'].map(
  (name) => `PlayerNfts-prod-${name}`,
)

/** The functions that requests, events and schedules invoke, and not those of custom resources. */
const serving = ({ all }: ServiceTemplate) =>
  all('AWS::Lambda::Function').filter(
    ([, { Properties }]) => !/-(deployment-checks|dashboard-upload)$/.test(Properties.FunctionName),
  )

/** What the descriptions of the functions say, by the name of the function. */
const describedIn = (template: ServiceTemplate): Record<string, Described | undefined> =>
  Object.fromEntries(
    serving(template).map(([, { Properties }]) => [
      Properties.FunctionName.replace('PlayerNfts-prod-', ''),
      describedVersion('PlayerNfts-prod', Properties.Description),
    ]),
  )

const deploymentsIn = (template: ServiceTemplate): Set<unknown> =>
  new Set(Object.values(describedIn(template)).map((each) => each?.deployment))

const versionIdsOf = ({ all }: ServiceTemplate): string[] =>
  all('AWS::Lambda::Version').map(([id]) => id)

describe('D69: versions', () => {
  test('each function has a version and the alias live, which is all that may be invoked', () => {
    expect(
      serving(prod)
        .map(([, each]) => each.Properties.FunctionName)
        .toSorted(),
    ).toEqual(names.toSorted())
    const aliases = prod.all('AWS::Lambda::Alias')
    expect(aliases.map(([id]) => aliasedFunction(prod, { Ref: id })).toSorted()).toEqual(
      names.toSorted(),
    )
    for (const [, { Properties }] of aliases) {
      const [versionId] = Properties.FunctionVersion['Fn::GetAtt']
      const { Type, Properties: version } = prod.resources[versionId] ?? {}
      expect([Type, version.FunctionName]).toEqual([
        'AWS::Lambda::Version',
        Properties.FunctionName,
      ])
    }
    for (const [, { Properties }] of prod.all('AWS::Lambda::Permission')) {
      expect(names).toContain(aliasedFunction(prod, Properties.FunctionName))
    }
  })

  test('old versions remain, and those of a failed update do not', () => {
    const policies = prod
      .all('AWS::Lambda::Version')
      .map(([, { DeletionPolicy, UpdateReplacePolicy }]) => [DeletionPolicy, UpdateReplacePolicy])
    expect(new Set(policies.map(String))).toEqual(new Set(['RetainExceptOnCreate,Retain']))
  })

  test('all versions of a deployment have its identifier, and a change of one function is a new one', () => {
    const changed = serviceTemplate({ ...prodSettings, ipfsGateway: 'https://ipfs.example/ipfs/' })
    const [before, after] = [deploymentsIn(prod), deploymentsIn(changed)]
    expect([before.size, after.size]).toEqual([1, 1])
    expect([...after]).not.toEqual([...before])
    expect(versionIdsOf(changed).filter((id) => versionIdsOf(prod).includes(id))).toEqual([])
  })

  test('a deployment that changes no function publishes nothing', () => {
    const changed = serviceTemplate({ ...prodSettings, alarmEmail: 'others@studio.example' })
    expect(describedIn(changed)).toEqual(describedIn(prod))
    expect(versionIdsOf(changed)).toEqual(versionIdsOf(prod))
  })

  test('a deployment that changes permissions only is a new one', () => {
    const changed = serviceTemplate({ ...prodSettings, tableKeyArn: retainedKey })
    expect([...deploymentsIn(changed)]).not.toEqual([...deploymentsIn(prod)])
    const before = describedIn(prod)
    for (const [name, after] of Object.entries(describedIn(changed))) {
      expect(after?.permissions).toEqual(
        expect.arrayContaining([...(before[name]?.permissions ?? [])]),
      )
    }
    const tableReader = 'get-product'
    expect(describedIn(changed)[tableReader]?.permissions).not.toEqual(
      before[tableReader]?.permissions,
    )
  })

  test('a description has all permissions of a function with every feature, and fits', () => {
    const everything = serviceTemplate({
      ...{ ...prodSettings, edge, tableKeyArn: retainedKey, followedChains: ['POLYGON'] },
      ...{ userIds: 'assigned', rememberSeconds: 60 },
    })
    for (const [, { Properties }] of serving(everything)) {
      expect(Properties.Description.length).toBeLessThanOrEqual(256)
      expect(describedVersion('PlayerNfts-prod', Properties.Description)?.permissions).toBeDefined()
    }
    expect(describedIn(everything)['get-openapi']?.permissions).toEqual([])
  })

  test('the identifier is read from the description, for one stack only', () => {
    const description = deploymentDescription('PlayerNfts-prod', { a: 1 })
    expect(description).toMatch(/^PlayerNfts-prod, deployment [0-9a-f]{12}$/)
    const deployment = description.slice(-12)
    expect(describedVersion('PlayerNfts-prod', description)).toEqual({ deployment })
    expect(describedVersion('PlayerNfts-prod-2', description)).toBeUndefined()
    expect(describedVersion('PlayerNfts', undefined)).toBeUndefined()
  })

  test('the permissions are read from the description, each with its condition and without its resource', () => {
    const statement = (Action: string | string[], ...partitions: string[]) => ({
      Action,
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } },
    })
    const before = permissionDigests([{ Action: 'kms:Sign' }, statement('dynamodb:PutItem', 'A#*')])
    const after = permissionDigests([
      { Action: ['kms:Sign', 'kms:GetPublicKey'] },
      statement('dynamodb:PutItem', 'A#*', 'B#*'),
    ])
    expect([before.length, after.length]).toEqual([2, 4])
    expect(after).toEqual(expect.arrayContaining(before))
    const described = (digests: string[]) =>
      describedVersion('Stack', withPermissions(deploymentDescription('Stack', 1), digests))
    expect(described(after)?.permissions).toEqual(after)
    expect(described([])?.permissions).toEqual([])
  })
})
