import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { alarmTable } from '../../../infra/monitoring/alarm-table.ts'
import { keyChanges } from '../../../infra/monitoring/key-changes.ts'
import { maxDescriptionLength, notification } from '../../../infra/monitoring/notification.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const alarmTopicArn = 'arn:aws:sns:eu-central-1:123456789012:pager'

const alarmUrl = 'https://pager.example/sns'

const { all, only, propertiesOf } = serviceTemplate({ ...prodSettings, alarmTopicArn, alarmUrl })

const [[ownTopic] = []] = all('AWS::SNS::Topic')

const topics = [{ Ref: ownTopic }, alarmTopicArn]

const ringing = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap(propertiesOf)

describe('notifications', () => {
  test('go to the address, to the URL and to the topic of the settings', () => {
    expect(propertiesOf('AWS::SNS::Subscription')).toEqual([
      { Protocol: 'email', Endpoint: prodSettings.alarmEmail, TopicArn: { Ref: ownTopic } },
      { Protocol: 'https', Endpoint: alarmUrl, TopicArn: { Ref: ownTopic } },
    ])
    const notifying = ringing.filter(({ AlarmActions }) => AlarmActions)
    expect(notifying.length).toBeGreaterThan(15)
    for (const { AlarmActions, OKActions } of notifying) {
      expect([AlarmActions, OKActions]).toEqual([topics, topics])
    }
  })

  test('report a signing key that is disabled or scheduled for deletion, with the first steps', () => {
    const { EventPattern, Targets } = only('AWS::Events::Rule').Properties
    const keys = all('AWS::KMS::Key').map(([id]) => ({ 'Fn::GetAtt': [id, 'Arn'] }))
    expect(EventPattern).toEqual({
      source: ['aws.kms'],
      'detail-type': ['AWS API Call via CloudTrail'],
      detail: {
        eventSource: ['kms.amazonaws.com'],
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: keys },
      },
    })
    expect(Targets.map(({ Arn }: Json) => Arn)).toEqual(topics)
    const text = notification(keyChanges, 'PlayerNfts-prod')
    for (const { Input } of Targets) {
      expect(JSON.parse(Input)).toBe(`PlayerNfts-prod-signing-key-changes\n${text}`)
    }
    expect(text.length).toBeLessThanOrEqual(maxDescriptionLength)
  })
})

describe('the descriptions of the alarms', () => {
  const texts = ringing.map(({ AlarmDescription }): string => AlarmDescription)
  const textOf = (row: string) =>
    texts.find((text) => text.endsWith(`docs/alarms.md#${row}`)) as string

  test('D71: say how urgent they are, the first steps and their heading on the page, in at most 1,024 characters', () => {
    const page = readFileSync('docs/alarms.md', 'utf8')
    for (const text of texts) {
      const [, heading] =
        /^Urgency: (?:at once|the same day|the next working day)\.\n.+\nFirst steps:\n1\. .+\n(?:.+\n)*Runbook: docs\/alarms\.md#([a-z-]+)$/.exec(
          text,
        ) ?? []
      expect(page, text).toContain(`\n## ${heading}\n`)
    }
    // Names of stages may be long.
    for (const row of alarmTable) {
      const text = notification(row, `PlayerNfts-${'s'.repeat(32)}`)
      expect(text.length, row.name).toBeLessThanOrEqual(maxDescriptionLength)
    }
    expect(textOf('worker-errors')).toContain(
      '1. Read the errors, in the log group of the worker: query worker/errors',
    )
  })

  test('D71: have commands with the name of the stack, without Markdown', () => {
    expect(texts.filter((text) => /\$STACK|`|\]\(/.test(text))).toEqual([])
    const text = textOf('server-errors')
    expect(text).toContain('\n3. If it began with an update, roll back: npm run --silent roll-back')
    expect(text).toContain(' -- --stack PlayerNfts-prod\n')
    expect(text).toContain('-name-prefix PlayerNfts-prod/server-errors/\n')
  })
})

const monthlyBudget = 250

const withBudget = serviceTemplate({ ...prodSettings, monthlyBudget, alarmTopicArn })

/** The services that may publish to the topic of the stack, and for which account. */
const publishers = ({ only }: ReturnType<typeof serviceTemplate>): Json[] =>
  only('AWS::SNS::TopicPolicy')
    .Properties.PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow')
    .flatMap(({ Principal, Condition }: Json) =>
      [Principal.Service]
        .flat()
        .map((service) => [service, Condition?.StringEquals?.['aws:SourceAccount']]),
    )

describe('a monthly budget', () => {
  test('notifies each topic of the alarms, before the money is spent', () => {
    const [[topic] = []] = withBudget.all('AWS::SNS::Topic')
    const budgets = withBudget.propertiesOf('AWS::Budgets::Budget')
    expect(budgets.map(({ Budget }) => Budget)).toEqual(
      ['-0', '-1'].map((end) => ({
        BudgetName: { 'Fn::Join': ['', ['PlayerNfts-prod-', { Ref: 'AWS::Region' }, end]] },
        BudgetType: 'COST',
        TimeUnit: 'MONTHLY',
        BudgetLimit: { Amount: monthlyBudget, Unit: 'USD' },
      })),
    )
    for (const [index, Address] of [{ Ref: topic }, alarmTopicArn].entries()) {
      expect(budgets[index].NotificationsWithSubscribers).toEqual(
        [
          { NotificationType: 'ACTUAL', Threshold: 80 },
          { NotificationType: 'FORECASTED', Threshold: 100 },
        ].map((each) => ({
          Notification: {
            ...each,
            ThresholdType: 'PERCENTAGE',
            ComparisonOperator: 'GREATER_THAN',
          },
          Subscribers: [{ SubscriptionType: 'SNS', Address }],
        })),
      )
    }
  })

  test('may publish to the topic of the stack for this account, beside the alarms, and only if there is one', () => {
    const account = { Ref: 'AWS::AccountId' }
    const usual = [
      ['cloudwatch.amazonaws.com', account],
      // EventBridge publishes without the name of its account.
      ['events.amazonaws.com', undefined],
    ]
    expect(publishers(withBudget)).toEqual([['budgets.amazonaws.com', account], ...usual])
    const without = serviceTemplate(prodSettings)
    expect(without.all('AWS::Budgets::Budget')).toEqual([])
    expect(publishers(without)).toEqual(usual)
  })
})
