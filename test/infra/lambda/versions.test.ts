import { describe, expect, test } from 'vitest'
import { operationIds } from '../../../functions/operations.ts'
import { deploymentDescription, deploymentOf } from '../../../infra/lambda/deployment-id.ts'
import { functionName } from '../../../lib/contract/route.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import {
  aliasedFunction,
  type ServiceTemplate,
  serviceTemplate,
} from '../../support/service-template.ts'

const prod = serviceTemplate(prodSettings)
const names = [...operationIds.map(functionName), 'work-queue'].map(
  (name) => `PlayerNfts-prod-${name}`,
)

/** The functions that requests, events and schedules invoke, and not those of custom resources. */
const serving = ({ all }: ServiceTemplate) =>
  all('AWS::Lambda::Function').filter(
    ([, { Properties }]) => !/-(deployment-checks|dashboard-upload)$/.test(Properties.FunctionName),
  )

const descriptionsOf = (template: ServiceTemplate): Set<string> =>
  new Set(serving(template).map(([, { Properties }]) => Properties.Description))

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
    const [before, after] = [descriptionsOf(prod), descriptionsOf(changed)]
    expect([before.size, after.size]).toEqual([1, 1])
    expect([...after]).not.toEqual([...before])
    expect(versionIdsOf(changed).filter((id) => versionIdsOf(prod).includes(id))).toEqual([])
  })

  test('a deployment that changes no function publishes nothing', () => {
    const changed = serviceTemplate({ ...prodSettings, alarmEmail: 'others@studio.example' })
    expect(descriptionsOf(changed)).toEqual(descriptionsOf(prod))
    expect(versionIdsOf(changed)).toEqual(versionIdsOf(prod))
  })

  test('the identifier is read from the description, for one stack only', () => {
    const description = deploymentDescription('PlayerNfts-prod', { a: 1 })
    expect(description).toMatch(/^PlayerNfts-prod, deployment [0-9a-f]{12}$/)
    expect(deploymentOf('PlayerNfts-prod', description)).toBe(description.slice(-12))
    expect(deploymentOf('PlayerNfts-prod-2', description)).toBeUndefined()
    expect(deploymentOf('PlayerNfts', undefined)).toBeUndefined()
  })
})
