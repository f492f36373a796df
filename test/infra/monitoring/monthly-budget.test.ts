import { describe, expect, test } from 'vitest'
import { prodSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const monthlyBudget = 250
const alarmTopicArn = 'arn:aws:sns:eu-central-1:123456789012:pager'

const withBudget = serviceTemplate({ ...prodSettings, monthlyBudget, alarmTopicArn })

/** The services that may publish to the topic of the stack, and whether only for its account. */
const publishers = ({ only }: ReturnType<typeof serviceTemplate>) =>
  only('AWS::SNS::TopicPolicy')
    .Properties.PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow')
    .flatMap(({ Principal, Condition }: Json) =>
      [Principal.Service].flat().map((service) => [service, Condition !== undefined]),
    )

describe('a monthly budget', () => {
  test('notifies each topic of the alarms, before the money is spent', () => {
    const [[topic] = []] = withBudget.all('AWS::SNS::Topic')
    const budgets = withBudget.all('AWS::Budgets::Budget').map(([, { Properties }]) => Properties)
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

  test('may publish to the topic of the stack for this account, and only if there is one', () => {
    expect(publishers(withBudget)).toContainEqual(['budgets.amazonaws.com', true])
    const without = serviceTemplate(prodSettings)
    expect(without.all('AWS::Budgets::Budget')).toEqual([])
    expect(publishers(without).map(([service]: [string]) => service)).not.toContain(
      'budgets.amazonaws.com',
    )
  })
})
