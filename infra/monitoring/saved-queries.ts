import { Stack } from 'aws-cdk-lib'
import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { AlarmSettings, Monitored } from './alarm-row.ts'
import { alarmRows } from './alarms.ts'
import {
  anyDigest,
  playerQuery,
  type QueriedLogs,
  queryText,
  type SavedQuery,
} from './logs-insights.ts'

/**
 * The queries of the alarms, saved in CloudWatch Logs Insights as `<stack>/<alarm>/<query>`, and that of the requests
 * of a player as `<stack>/player/requests`.
 */
export class SavedQueries extends Construct {
  private readonly monitored: Monitored

  constructor(
    scope: Construct,
    id: string,
    { monitored, settings }: { monitored: Monitored; settings: AlarmSettings },
  ) {
    super(scope, id)
    this.monitored = monitored
    for (const { name, firstSteps } of alarmRows(settings)) {
      for (const step of firstSteps) {
        if (typeof step !== 'string') this.save(name, step.query)
      }
    }
    this.save('player', playerQuery(anyDigest))
  }

  private save(about: string, query: SavedQuery): void {
    new CfnQueryDefinition(this, `${about}-${query.name}`, {
      name: `${Stack.of(this).stackName}/${about}/${query.name}`,
      queryString: queryText(query),
      logGroupNames: logGroupNames(query.logs, this.monitored),
    })
  }
}

/** The names of the log groups with the lines that a query reads. CloudWatch accepts 50 in a query. */
export function logGroupNames(logs: QueriedLogs, { api, functions }: Monitored): string[] {
  const { operationLogs } = functions
  const { logGroup: workerLogs } = functions.worker.function
  const groups: Record<QueriedLogs, readonly ILogGroup[]> = {
    functions: [operationLogs, workerLogs],
    operations: [operationLogs],
    worker: [workerLogs],
    'access log': [api.accessLog],
  }
  return groups[logs].map(({ logGroupName }) => logGroupName)
}
