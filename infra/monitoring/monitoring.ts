import { NestedStack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { AlarmSettings, Monitored } from './alarm-row.ts'
import { AlarmTopics } from './alarm-topics.ts'
import { Alarms } from './alarms.ts'
import { CloudWatchDashboard } from './cloudwatch-dashboard.ts'
import { KeyChanges } from './key-changes.ts'
import { MonthlyBudget } from './monthly-budget.ts'
import { SavedQueries } from './saved-queries.ts'

/**
 * What operators see and hear of a deployment: alarms, their topics, a budget, the queries of the runbook and a dashboard, in a
 * nested stack (D147).
 */
export class Monitoring extends NestedStack {
  constructor(
    scope: Construct,
    id: string,
    props: {
      monitored: Monitored
      /** The keys that the stack signs and verifies with, retained keys included. */
      keyArns: readonly string[]
      settings: AlarmSettings
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
