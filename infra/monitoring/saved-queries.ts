import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { Settings } from '../settings/settings.ts'
import { rootStack } from '../subject-stacks.ts'
import { type Monitored, thresholdOf } from './alarm-row.ts'
import { alarmRows } from './alarms.ts'
import { type QueriedLogs, queryName, queryText, type SavedQuery } from './logs-insights.ts'
import { subjectQueries } from './subject-queries.ts'

/** The queries of the alarms, and those that the runbook uses, saved as `<stack>/<alarm or subject>/<query>`. */
export class SavedQueries extends Construct {
  private readonly monitored: Monitored

  constructor(
    scope: Construct,
    id: string,
    { monitored, settings }: { monitored: Monitored; settings: Settings },
  ) {
    super(scope, id)
    this.monitored = monitored
    for (const row of alarmRows(settings)) {
      for (const step of row.firstSteps) {
        if (typeof step === 'string') continue
        this.save(queryName(step.query, row.name), step.query, thresholdOf(row, settings))
      }
    }
    for (const query of subjectQueries) this.save(queryName(query, query.subject), query)
  }

  /** Saves a query, once if several alarms have it. */
  private save(name: string, query: SavedQuery, threshold?: number): void {
    const id = name.replace('/', '-')
    const queryString = queryText(query, threshold)
    // Only a query definition has such an id.
    const saved = this.node.tryFindChild(id) as CfnQueryDefinition | undefined
    if (saved && saved.queryString !== queryString) throw new Error(`Two queries are named ${name}`)
    if (saved) return
    new CfnQueryDefinition(this, id, {
      name: `${rootStack(this).stackName}/${name}`,
      queryString,
      logGroupNames: logGroupNames(query.logs, this.monitored),
    })
  }
}

/** The names of the log groups with the lines that a query reads. CloudWatch accepts 50 in a query. */
export function logGroupNames(logs: QueriedLogs, { api, functions }: Monitored): string[] {
  const { operationLogs, workerLogs, followerLogs, delivererLogs } = functions
  const ofFunctions = [operationLogs, workerLogs, ...followerLogs, ...delivererLogs]
  const groups: Record<QueriedLogs, readonly ILogGroup[]> = {
    functions: ofFunctions,
    operations: [operationLogs],
    worker: [workerLogs],
    followers: followerLogs,
    webhooks: delivererLogs,
    'access log': [api.accessLog],
    all: [...ofFunctions, api.accessLog],
  }
  return groups[logs].map(({ logGroupName }) => logGroupName)
}
