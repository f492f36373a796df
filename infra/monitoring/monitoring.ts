import { NestedStack } from 'aws-cdk-lib'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { Construct } from 'constructs'
import type { Settings } from '../settings/settings.ts'
import { rootStack } from '../subject-stacks.ts'
import type { Monitored } from './alarm-row.ts'
import { AlarmTopics } from './alarm-topics.ts'
import { Alarms } from './alarms.ts'
import { CloudWatchDashboard } from './cloudwatch-dashboard.ts'
import { KeyChanges } from './key-changes.ts'
import { SavedQueries } from './saved-queries.ts'

/** What operators see and hear of a deployment, in a nested stack (D147). */
export class Monitoring extends NestedStack {
  constructor(
    scope: Construct,
    id: string,
    props: {
      monitored: Monitored
      /** The keys that the stack signs and verifies with, retained keys included. */
      keyArns: readonly string[]
      settings: Settings
    },
  ) {
    super(scope, id, { description: 'Alarms, saved queries and the dashboard for operators' })
    const { monitored, settings, keyArns } = props
    const topics = new AlarmTopics(this, 'Topics', settings)
    const alarms = new Alarms(this, 'Alarms', { monitored, settings, topics })
    new KeyChanges(this, 'KeyChanges', { keyArns, topics })
    if (settings.monthlyBudget !== undefined) {
      new MonthlyBudget(this, 'Budget', { dollars: settings.monthlyBudget, topics })
    }
    new SavedQueries(this, 'Queries', { monitored, settings })
    new CloudWatchDashboard(this, 'Dashboard', { monitored, alarms, settings })
  }
}

/** The percentages of the budget that notify: of what was spent so far, and of what the month will cost. */
const thresholds = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
]

/**
 * A monthly budget of the whole account, in US dollars, which notifies the topics of the alarms. A budget of the stack
 * alone would count nothing until somebody activates its tags for billing. A budget has one topic, so each has its own.
 */
class MonthlyBudget extends Construct {
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
