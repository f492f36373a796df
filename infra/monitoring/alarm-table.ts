import type { AlarmRow } from './alarm-row.ts'
import {
  deadLetters,
  endedSnapshots,
  followerLag,
  oldWork,
  refusedContracts,
  workerErrors,
} from './background-alarms.ts'
import { keySetFailures, loginFailures, tableThrottles } from './dependency-alarms.ts'
import {
  accountConcurrency,
  functionThrottles,
  slowAnswers,
  slowIndexerAnswers,
} from './function-alarms.ts'
import {
  allCredentialsRejected,
  allRequestsFail,
  rejectedCredentials,
  serverErrors,
  silence,
  throttledRequests,
} from './http-api-alarms.ts'
import { indexerFailures, oldAnswers, slowIndexer } from './indexer-alarms.ts'
import {
  allSignInsFail,
  contractCheckVolume,
  deviceCodeVolume,
  signInVolume,
  smartAccountFailures,
} from './sign-in-alarms.ts'
import {
  indexerPlan,
  indexerVolume,
  playerTokenVolume,
  registrationVolume,
  writeVolume,
} from './volume-alarms.ts'
import { webhookDelay, webhookErrors, webhookQueue, webhookSweep } from './webhook-alarms.ts'

/** All alarms, from which the stack, the dashboard and docs/alarms.md are made. */
export const alarmTable: readonly AlarmRow[] = [
  serverErrors,
  allRequestsFail,
  slowAnswers,
  slowIndexerAnswers,
  silence,
  rejectedCredentials,
  allCredentialsRejected,
  functionThrottles,
  accountConcurrency,
  throttledRequests,
  workerErrors,
  deadLetters,
  oldWork,
  tableThrottles,
  loginFailures,
  keySetFailures,
  allSignInsFail,
  smartAccountFailures,
  indexerFailures,
  slowIndexer,
  oldAnswers,
  followerLag,
  refusedContracts,
  endedSnapshots,
  webhookErrors,
  webhookDelay,
  webhookQueue,
  webhookSweep,
  indexerPlan,
  indexerVolume,
  registrationVolume,
  writeVolume,
  playerTokenVolume,
  signInVolume,
  deviceCodeVolume,
  contractCheckVolume,
]
