import { describe, expect, test } from 'vitest'
import { operationIds, routes } from '../../../functions/operations.ts'
import { alarmRows } from '../../../infra/monitoring/alarms.ts'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { functionName } from '../../../lib/contract/route.ts'
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

  test('shows the products by use, from the log groups of all functions that serve products', () => {
    const queries = body.split('"type').filter((widget) => widget.includes('SOURCE'))
    expect(queries).toHaveLength(2)
    const groups = operationIds.filter((id) => routes[id].auth === 'PRODUCT')
    for (const widget of queries) {
      expect(widget.match(/SOURCE/g)).toHaveLength(groups.length + 1)
      for (const id of groups) {
        expect(widget).toContain(`Functions${functionName(id).replaceAll('-', '')}Logs`)
      }
      expect(widget).toContain('by productId')
    }
    // CloudWatch accepts 50 log groups in a query.
    expect(groups.length + 1).toBeLessThanOrEqual(50)
  })

  test('shows the responses 429 beside the other client errors', () => {
    expect(body).toContain('errors - limited - throttled')
    expect(body).toContain('429 of a limit')
    expect(body).toContain('429 of API Gateway')
  })
})
