import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { operationIds } from '../../functions/operations.ts'
import { prodSettings } from '../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../support/service-template.ts'

const { all, resources } = serviceTemplate(prodSettings)
const costs = readFileSync('docs/costs.md', 'utf8')
const operations = readFileSync('docs/operations.md', 'utf8')

/** CloudWatch charges an alarm for each of its metrics. */
const metricsOf = ({ MetricName, Metrics = [] }: Json): number =>
  MetricName ? 1 : Metrics.filter(({ MetricStat }: Json) => MetricStat).length

const resourcesWith = (settings: object) =>
  Object.keys(serviceTemplate({ ...prodSettings, ...settings }).resources).length

const without = Object.keys(resources).length
const withEdge = resourcesWith({ edge: {} })
const withBoth = resourcesWith({ edge: {}, dashboard: true })

describe('the figures of the documentation that follow from the stack', () => {
  test('alarms and their costs', () => {
    const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)
    const metrics = alarms.reduce((sum, alarm) => sum + metricsOf(alarm), 0)
    const composites = all('AWS::CloudWatch::CompositeAlarm').length
    expect(/\d+ alarms have \d+ metrics: [\d.]+\d/.exec(costs)?.[0]).toBe(
      `${alarms.length} alarms have ${metrics} metrics: ${(metrics / 10).toFixed(2)}`,
    )
    expect(/\d+ composite alarms at 0.50: [\d.]+\d/.exec(costs)?.[0]).toBe(
      `${composites} composite alarms at 0.50: ${(composites / 2).toFixed(2)}`,
    )
  })

  test('resources of the stack', () => {
    const [stated] =
      /\d+ with \d+ operations, \d+ more with .edge., and \d+ more with .dashboard./.exec(
        operations,
      ) ?? []
    expect(stated).toBe(
      `${without} with ${operationIds.length} operations, ${withEdge - without} more with \`edge\`, and ${withBoth - withEdge} more with \`dashboard\``,
    )
    expect(withBoth).toBeLessThan(450)
  })

  test('routes of the API', () => {
    const routes = all('AWS::ApiGatewayV2::Route').length
    const [stated] = /\d+ with \d+ operations(?= \|)/.exec(operations) ?? []
    expect(stated).toBe(`${routes} with ${operationIds.length} operations`)
  })
})
