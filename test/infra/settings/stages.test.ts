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
    const memory = ({ propertiesOf }: typeof named) =>
      new Set(propertiesOf('AWS::Lambda::Function').map(({ MemorySize }) => MemorySize))
    expect([memory(named), memory(dev)]).toEqual([new Set([512]), new Set([1024])])
  })

  test('names each log group', () => {
    const names = ({ propertiesOf }: typeof named) =>
      propertiesOf('AWS::Logs::LogGroup').map(({ LogGroupName }) => LogGroupName)
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
    for (const { Architectures, Environment } of local.propertiesOf('AWS::Lambda::Function')) {
      expect(Architectures).toEqual([architecture])
      expect(Environment.Variables.AWS_ENDPOINT_URL).toBe('http://127.0.0.1:4566')
    }
    expect(JSON.stringify(dev.resources)).not.toContain('AWS_ENDPOINT_URL')
  })

  test('has names that are known before the deployment, which other stages do not have', () => {
    const namesIn = ({ propertiesOf }: typeof local) => [
      propertiesOf('AWS::DynamoDB::Table')[0].TableName,
      ...propertiesOf('AWS::SQS::Queue').map(({ QueueName }) => QueueName),
      propertiesOf('AWS::SecretsManager::Secret')[0].Name,
    ]
    const name = 'PlayerNfts-local'
    expect(namesIn(local)).toEqual([
      ...[name, `${name}-dead-letters`, `${name}-work`, `${name}/indexer-key`],
    ])
    expect(new Set([...namesIn(dev), ...namesIn(prod)])).toEqual(new Set([undefined]))
  })
})
