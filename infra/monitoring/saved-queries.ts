import { Stack } from 'aws-cdk-lib'
import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { operationIds, routes } from '../../functions/operations.ts'
import { isOfPlayer } from '../../lib/contract/route.ts'
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
      logGroupNames: logGroups(query.logs, this.monitored).map(({ logGroupName }) => logGroupName),
    })
  }
}

function logGroups(logs: QueriedLogs, { api, functions }: Monitored): readonly ILogGroup[] {
  if (logs === 'access log') return [api.accessLog]
  const { byOperation, worker } = functions
  if (logs === 'worker') return [worker.logGroup]
  if (logs === 'players') {
    const ofPlayers = operationIds.filter((id) => isOfPlayer(routes[id]))
    return ofPlayers.map((id) => byOperation[id].logGroup)
  }
  if (logs !== 'functions') return [byOperation[logs].logGroup]
  return [...operationIds.map((id) => byOperation[id]), worker].map(({ logGroup }) => logGroup)
}
