import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { Construct } from 'constructs'
import { rootStack } from '../subject-stacks.ts'
import type { AlarmTopics } from './alarm-topics.ts'

/** The percentages of the budget that notify: of what was spent so far, and of what the month will cost. */
const thresholds = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
]

/**
 * A monthly budget of the whole account, in US dollars, which notifies the topics of the alarms. A budget of the stack
 * alone would count nothing until somebody activates its tags for billing. A budget has one topic, so each has its own.
 */
export class MonthlyBudget extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { dollars, topics }: { dollars: number; topics: AlarmTopics },
  ) {
    super(scope, id)
    const { stackName, region } = rootStack(this)
    for (const [index, { topicArn }] of topics.all.entries()) {
      new CfnBudget(this, `Budget${index}`, {
        budget: {
          // Budgets belong to an account, so that the name has the Region.
          budgetName: `${stackName}-${region}-${index}`,
          budgetType: 'COST',
          timeUnit: 'MONTHLY',
          budgetLimit: { amount: dollars, unit: 'USD' },
        },
        notificationsWithSubscribers: thresholds.map((each) => ({
          notification: {
            ...each,
            thresholdType: 'PERCENTAGE',
            comparisonOperator: 'GREATER_THAN',
          },
          subscribers: [{ subscriptionType: 'SNS', address: topicArn }],
        })),
      })
    }
  }
}
