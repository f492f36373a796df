import { describe, expect, test } from 'vitest'
import { alarmRows } from '../../../infra/monitoring/alarms.ts'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { usualOperationIds } from '../../support/operations.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import { serviceTemplate } from '../../support/service-template.ts'

const { all, only } = serviceTemplate(prodSettings)

describe('the dashboard', () => {
  const body = JSON.stringify(only('AWS::CloudWatch::Dashboard').Properties.DashboardBody)

  test('shows the state of all alarms, and a graph for each row of the alarm table', () => {
    for (const [id] of all('AWS::CloudWatch::Alarm')) expect(body).toContain(`"${id}"`)
    for (const { name, unit } of alarmRows(deploymentSettings(prodSettings))) {
      expect(body).toContain(`${name} (${unit})`)
    }
  })

  test('shows the products by use, from the log groups of the operations and of the worker', () => {
    const queries = body.split('"type').filter((widget) => widget.includes('SOURCE'))
    expect(queries).toHaveLength(3)
    expect(queries[2]).toContain('sum(keptContracts) as kept')
    for (const widget of queries) {
      expect(widget.match(/SOURCE/g)).toHaveLength(2)
      for (const name of ['OperationLogs', 'workqueueLogs']) {
        expect(widget).toContain(`"Ref":"Functions${name}`)
      }
      expect(widget).toContain('ispresent(productId)')
      expect(widget).toContain('by productId')
    }
  })

  test('D83: shows the duration of each operation', () => {
    const durations = body.match(/\\"AWS\/Lambda\\",\\"Duration\\"/g)
    expect(durations).toHaveLength(usualOperationIds.length)
  })

  test('shows the responses 429 beside the other client errors', () => {
    expect(body).toContain('errors - limited - throttled')
    expect(body).toContain('429 of a limit')
    expect(body).toContain('429 of API Gateway')
  })
})
