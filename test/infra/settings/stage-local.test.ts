import { describe, expect, test } from 'vitest'
import { prodSettings } from '../../support/prod-settings.ts'
import { serviceTemplate } from '../../support/service-template.ts'

const local = serviceTemplate({ stage: 'local' })
const dev = serviceTemplate({})
const prod = serviceTemplate(prodSettings)

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
