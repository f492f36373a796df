import { Annotations, Match } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { prodSettings } from '../../support/prod-settings.ts'
import {
  type Json,
  serviceApp,
  serviceTemplate,
  templateOf,
} from '../../support/service-template.ts'

const prod = serviceTemplate(prodSettings)

describe('the access log', () => {
  test('D5: logs each request as JSON, without path, query string or headers', () => {
    const { Format } = prod.only('AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings
    expect(Object.values(JSON.parse(Format))).toEqual([
      '$context.requestId',
      '$context.awsEndpointRequestId',
      '$context.requestTime',
      '$context.identity.sourceIp',
      '$context.routeKey',
      '$context.status',
      '$context.responseLength',
      '$context.responseLatency',
      '$context.integrationLatency',
      '$context.error.message',
      '$context.integrationErrorMessage',
    ])
  })

  test('D84: has a name into which API Gateway may write in every account, and which no stack had before', () => {
    expect(nameIn(prod, '1a2b3c4d-0000-11ef-8a9b-0a1b2c3d4e5f')).toBe(
      '/aws/vendedlogs/PlayerNfts-prod-1a2b3c4d/http-api',
    )
    expect(nameIn(prod, 'ffffffff-0000-11ef-8a9b-0a1b2c3d4e5f')).toBe(
      '/aws/vendedlogs/PlayerNfts-prod-ffffffff/http-api',
    )
  })

  test.each([
    ['/games/nfts', 1],
    ['/aws/vendedlogs', 0],
    ['/aws/vendedlogs/games', 0],
    ['/aws/vendedlogs-of-games', 1],
    [undefined, 0],
  ])(
    'D84: the prefix %j wins, with a line at synthesis if it lies elsewhere',
    (logGroupPrefix, lines) => {
      const app = serviceApp({ ...prodSettings, ...(logGroupPrefix && { logGroupPrefix }) })
      const template = templateOf(app)
      if (logGroupPrefix) expect(nameIn(template, '')).toBe(`${logGroupPrefix}/http-api`)
      const said = Annotations.fromStack(app.stack).findInfo(
        '*',
        Match.stringLikeRegexp('^logGroupPrefix: '),
      )
      expect(said.map(({ id }) => id)).toEqual(
        Array(lines).fill('/PlayerNfts-prod/HttpApi/AccessLog'),
      )
    },
  )
})

/** The name of the access log in a stack with this unique part of its id. */
function nameIn({ all }: typeof prod, uniquePart: string): Json {
  const [, log] = all('AWS::Logs::LogGroup').find(([id]) => id.startsWith('HttpApi')) ?? []
  const stackId = `arn:aws:cloudformation:eu-central-1:123456789012:stack/PlayerNfts-prod/${uniquePart}`
  return evaluated(log?.Properties.LogGroupName, stackId)
}

/** The value of an expression of CloudFormation. */
function evaluated(expression: Json, stackId: string): Json {
  if (typeof expression !== 'object') return expression
  if (Array.isArray(expression)) return expression.map((each) => evaluated(each, stackId))
  const [[name, argument] = []] = Object.entries<Json>(expression)
  const [first, second] = evaluated(argument, stackId)
  if (name === 'Fn::Join') return second.join(first)
  if (name === 'Fn::Split') return second.split(first)
  if (name === 'Fn::Select') return second[first]
  if (name === 'Ref' && argument === 'AWS::StackId') return stackId
  throw new Error(`not an expression of the stack's id: ${JSON.stringify(expression)}`)
}
