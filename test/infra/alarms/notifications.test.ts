import { describe, expect, test } from 'vitest'
import { keyChanges } from '../../../infra/alarms/key-changes.ts'
import { maxDescriptionLength, notification } from '../../../infra/alarms/notification.ts'
import { prodSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const alarmTopicArn = 'arn:aws:sns:eu-central-1:123456789012:pager'
const alarmUrl = 'https://pager.example/sns'
const { all, only } = serviceTemplate({ ...prodSettings, alarmTopicArn, alarmUrl })
const [[ownTopic] = []] = all('AWS::SNS::Topic')
const topics = [{ Ref: ownTopic }, alarmTopicArn]

describe('notifications', () => {
  test('go to the address, to the URL and to the topic of the settings', () => {
    const subscriptions = all('AWS::SNS::Subscription').map(([, { Properties }]) => Properties)
    expect(subscriptions).toEqual([
      { Protocol: 'email', Endpoint: prodSettings.alarmEmail, TopicArn: { Ref: ownTopic } },
      { Protocol: 'https', Endpoint: alarmUrl, TopicArn: { Ref: ownTopic } },
    ])
    const types = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
    const notifying = types
      .flatMap((type) => all(type).map(([, { Properties }]) => Properties))
      .filter(({ AlarmActions }) => AlarmActions)
    expect(notifying.length).toBeGreaterThan(20)
    for (const { AlarmActions, OKActions } of notifying) {
      expect([AlarmActions, OKActions]).toEqual([topics, topics])
    }
  })

  test('CloudWatch of the account, and EventBridge, may publish', () => {
    const { Statement } = only('AWS::SNS::TopicPolicy').Properties.PolicyDocument
    const services = Statement.filter(({ Effect }: Json) => Effect === 'Allow')
    const conditions = services.map(({ Principal, Condition }: Json) => [
      Principal.Service,
      Condition?.StringEquals?.['aws:SourceAccount'],
    ])
    expect(conditions).toEqual([
      ['cloudwatch.amazonaws.com', { Ref: 'AWS::AccountId' }],
      ['events.amazonaws.com', undefined],
    ])
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

test('the table reports throttled keys, and not every request', () => {
  expect(only('AWS::DynamoDB::Table').Properties.ContributorInsightsSpecification).toEqual({
    Enabled: true,
    Mode: 'THROTTLED_KEYS',
  })
})
