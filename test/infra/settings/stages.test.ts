import { describe, expect, test } from 'vitest'
import { everyFeature, functionNames } from '../../../infra/bundle/bundle.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import {
  type Json,
  serviceApp,
  serviceTemplate,
  withoutStage,
} from '../../support/service-template.ts'

const dev = serviceTemplate()

const prod = serviceTemplate(prodSettings)

const ada = serviceTemplate({ stage: 'ada', protection: 'dev' })

const staging = serviceTemplate({ ...prodSettings, stage: 'staging', protection: 'prod' })

describe('D68: stages with a name of their own', () => {
  test('have the resources of the stage whose protection they have', () => {
    expect(withoutStage(ada, 'ada') === withoutStage(dev, 'dev')).toBe(true)
    expect(withoutStage(staging, 'staging') === withoutStage(prod, 'prod')).toBe(true)
    const { stack } = serviceApp({ ...prodSettings, stage: 'staging', protection: 'prod' })
    expect([stack.stackName, stack.terminationProtection]).toEqual(['PlayerNfts-staging', true])
  })

  test('leave room for the names of functions, which have up to 64 characters', () => {
    const longest = Math.max(...functionNames(everyFeature).map((name) => name.length))
    expect('PlayerNfts-'.length + 20 + '-'.length + longest).toBeLessThanOrEqual(64)
  })
})

test.each([
  ['dev', dev],
  ['prod', prod],
])(
  'the resources of %s that hold data keep their logical ids, so that an update keeps them',
  (_, { all }) => {
    const types = [
      'AWS::DynamoDB::Table',
      'AWS::KMS::Key',
      'AWS::SecretsManager::Secret',
      'AWS::SQS::Queue',
    ]
    expect(types.flatMap((type) => all(type).map(([id]) => id))).toEqual([
      'Table710B521B',
      'PlayerTokenKeyKey1B0CFF6E7',
      'UserJwtKeyKey111F9360B',
      'IndexerKey34569D60',
      'PlayerDigestKey11C0EE6CE',
      'WorkQueueDeadLettersB76E31B9',
      'WorkQueueAD162499',
    ])
  },
)

describe('a stack with tags, memory and names of log groups', () => {
  const named = serviceTemplate({
    tags: { 'cost-center': 'games' },
    memoryMegabytes: 512,
    logGroupPrefix: '/games/nfts',
  })

  test('has the tags on every resource that has the tags of the stack', () => {
    const tagged = Object.values(named.resources).flatMap(({ Type, Properties }) =>
      Properties?.Tags === undefined ? [] : [[Type, Properties.Tags] as const],
    )
    expect(tagged.length).toBeGreaterThan(75)
    for (const [type, tags] of tagged) {
      const has = (name: string): boolean =>
        Array.isArray(tags) ? tags.some(({ Key }: Json) => Key === name) : name in tags
      expect([type, has('cost-center'), has('stage')]).toEqual([type, true, true])
    }
  })

  test('gives each function the memory', () => {
    const memory = ({ all }: typeof named) =>
      new Set(all('AWS::Lambda::Function').map(([, { Properties }]) => Properties.MemorySize))
    expect([memory(named), memory(dev)]).toEqual([new Set([512]), new Set([1024])])
  })

  test('names each log group', () => {
    const names = ({ all }: typeof named) =>
      all('AWS::Logs::LogGroup').map(([, { Properties }]) => Properties.LogGroupName)
    expect(names(named).toSorted()).toEqual(
      ['deployment', 'http-api', 'operations', 'work-queue'].map((name) => `/games/nfts/${name}`),
    )
    // The access log has a name by default too.
    expect(names(dev).filter((name) => name === undefined)).toHaveLength(3)
  })
})

const local = serviceTemplate({ stage: 'local' })

describe('the stage local', () => {
  test('has no alarms, dashboard or topic', () => {
    const types = new Set(Object.values(local.resources).map(({ Type }) => Type))
    expect([...types].filter((type) => /CloudWatch|SNS/.test(type))).toEqual([])
  })

  test('runs functions on the architecture of this machine, with a declared endpoint', () => {
    const architecture = process.arch === 'arm64' ? 'arm64' : 'x86_64'
    for (const [, { Properties }] of local.all('AWS::Lambda::Function')) {
      expect(Properties.Architectures).toEqual([architecture])
      expect(Properties.Environment.Variables.AWS_ENDPOINT_URL).toBe('http://127.0.0.1:4566')
    }
    expect(JSON.stringify(dev.resources)).not.toContain('AWS_ENDPOINT_URL')
  })

  test('has names that are known before the deployment, which other stages do not have', () => {
    const namesIn = ({ all }: typeof local) => [
      all('AWS::DynamoDB::Table')[0]?.[1].Properties.TableName,
      ...all('AWS::SQS::Queue').map(([, { Properties }]) => Properties.QueueName),
      all('AWS::SecretsManager::Secret')[0]?.[1].Properties.Name,
    ]
    const name = 'PlayerNfts-local'
    expect(namesIn(local)).toEqual([
      ...[name, `${name}-dead-letters`, `${name}-work`, `${name}/indexer-key`],
    ])
    expect(new Set([...namesIn(dev), ...namesIn(prod)])).toEqual(new Set([undefined]))
  })
})
