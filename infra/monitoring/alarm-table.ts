import type { AlarmRow } from './alarm-row.ts'
import * as background from './background-alarms.ts'
import * as dependencies from './dependency-alarms.ts'
import * as functions from './function-alarms.ts'
import * as httpApi from './http-api-alarms.ts'
import * as indexer from './indexer-alarms.ts'
import * as signIn from './sign-in-alarms.ts'
import * as volumes from './volume-alarms.ts'
import * as webhooks from './webhook-alarms.ts'

/** All alarms, from which the stack, the dashboard and docs/alarms.md are made. */
export const alarmTable: readonly AlarmRow[] = [
  httpApi.serverErrors,
  httpApi.allRequestsFail,
  functions.slowAnswers,
  functions.slowIndexerAnswers,
  httpApi.silence,
  httpApi.rejectedCredentials,
  httpApi.allCredentialsRejected,
  functions.functionThrottles,
  functions.accountConcurrency,
  httpApi.throttledRequests,
  background.workerErrors,
  background.deadLetters,
  background.oldWork,
  dependencies.tableThrottles,
  dependencies.loginFailures,
  dependencies.keySetFailures,
  signIn.allSignInsFail,
  signIn.smartAccountFailures,
  indexer.indexerFailures,
  indexer.slowIndexer,
  indexer.oldAnswers,
  background.followerLag,
  background.refusedContracts,
  background.endedSnapshots,
  webhooks.webhookErrors,
  webhooks.webhookDelay,
  webhooks.webhookQueue,
  webhooks.webhookSweep,
  volumes.indexerPlan,
  volumes.indexerVolume,
  volumes.registrationVolume,
  volumes.writeVolume,
  volumes.playerTokenVolume,
  signIn.signInVolume,
  signIn.deviceCodeVolume,
  signIn.contractCheckVolume,
]
