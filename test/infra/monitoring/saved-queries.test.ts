import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { alarmTable } from '../../../infra/monitoring/alarm-table.ts'
import { queryName } from '../../../infra/monitoring/logs-insights.ts'
import { signInSettings, webhookSettings } from '../../support/prod-settings.ts'
import { serviceTemplate } from '../../support/service-template.ts'

const queries = serviceTemplate({ ...signInSettings, ...webhookSettings }).propertiesOf(
  'AWS::Logs::QueryDefinition',
)

describe('the saved queries', () => {
  test('have the names of their alarm, or of their subject, and of the query, and are saved once', () => {
    const expected = alarmTable.flatMap(({ name, firstSteps }) =>
      firstSteps.flatMap((step) =>
        typeof step === 'string' ? [] : [`PlayerNfts-prod/${queryName(step.query, name)}`],
      ),
    )
    expected.push(
      ...['player/requests', 'player/outcomes', 'request/lines', 'products/by-requests'].map(
        (name) => `PlayerNfts-prod/${name}`,
      ),
    )
    const names = queries.map(({ Name }) => Name)
    expect(names.toSorted()).toEqual([...new Set(expected)].toSorted())
    const texts = queries.map(({ QueryString, LogGroupNames }) =>
      JSON.stringify([QueryString, LogGroupNames]),
    )
    expect(new Set(texts).size).toBe(texts.length)
  })

  test('are those that the pages show', () => {
    const pages = ['docs/alarms.md', 'docs/runbook.md'].map((file) => readFileSync(file, 'utf8'))
    const unindented = pages.join('').replaceAll(/^ +/gm, '')
    for (const { QueryString } of queries) {
      expect(unindented).toContain(`\`\`\`text\n${QueryString}\n\`\`\``)
    }
  })

  test('say of each group since when there are such lines', () => {
    const grouping = queries.filter(({ QueryString }) => QueryString.includes('stats '))
    expect(grouping.length).toBeGreaterThan(10)
    for (const { Name, QueryString } of grouping) {
      expect(QueryString, Name).toMatch(
        /earliest\((timestamp|time)\) as first, latest\(\1\) as last by |\bbin\(5m\)/,
      )
    }
  })

  test('D83: read the log group of all operations, that of the worker, that of the followers, that of the deliveries, or the access log', () => {
    const groupsOf = (name: string): string[] => {
      const { LogGroupNames } = queries.find(({ Name }) => Name === `PlayerNfts-prod/${name}`) ?? {}
      return LogGroupNames.map(({ Ref }: { Ref: string }) => Ref.replace(/[0-9A-F]{8}$/, ''))
    }
    expect(groupsOf('worker/errors')).toEqual(['FunctionsworkqueueLogs'])
    expect(groupsOf('follower-lag/failures-by-chain')).toEqual(['FunctionsFollowerLogs'])
    expect(groupsOf('webhook-delay/delays-by-product')).toEqual(['FunctionsDelivererLogs'])
    expect(groupsOf('throttled-requests/throttled-by-address')).toEqual(['HttpApiAccessLog'])
    expect(groupsOf('player/requests')).toEqual(['FunctionsOperationLogs'])
    expect(groupsOf('registration-volume/outcomes')).toEqual(['FunctionsOperationLogs'])
    expect(groupsOf('failures/by-reason')).toEqual([
      'FunctionsOperationLogs',
      'FunctionsworkqueueLogs',
      'FunctionsFollowerLogs',
      'FunctionsDelivererLogs',
    ])
  })
})
