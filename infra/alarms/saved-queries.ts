import { Stack } from 'aws-cdk-lib'
import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { operationIds } from '../../lib/contract/routes.ts'
import type { AlarmSettings, Monitored } from './alarm-row.ts'
import { alarmRows } from './alarms.ts'
import { type QueriedLogs, queryText } from './logs-insights.ts'

/** The queries of the runbook, saved in CloudWatch Logs Insights as `<stack>/<alarm>/<query>`. */
export class SavedQueries extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { monitored, settings }: { monitored: Monitored; settings: AlarmSettings },
  ) {
    super(scope, id)
    const { stackName } = Stack.of(this)
    for (const { name, firstSteps } of alarmRows(settings)) {
      for (const step of firstSteps) {
        if (typeof step === 'string') continue
        const { query } = step
        new CfnQueryDefinition(this, `${name}-${query.name}`, {
          name: `${stackName}/${name}/${query.name}`,
          queryString: queryText(query),
          logGroupNames: logGroups(query.logs, monitored).map(({ logGroupName }) => logGroupName),
        })
      }
    }
  }
}

function logGroups(logs: QueriedLogs, { api, functions }: Monitored): readonly ILogGroup[] {
  if (logs === 'access log') return [api.accessLog]
  const { byOperation, worker } = functions
  if (logs === 'worker') return [worker.logGroup]
  if (logs !== 'functions') return [byOperation[logs].logGroup]
  return [...operationIds.map((id) => byOperation[id]), worker].map(({ logGroup }) => logGroup)
}
