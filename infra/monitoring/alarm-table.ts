import type { AlarmRow } from './alarm-row.ts'
import { deadLetters, followerLag, oldWork, workerErrors } from './background-alarms.ts'
import { loginFailures, tableThrottles } from './dependency-alarms.ts'
import {
  accountConcurrency,
  functionThrottles,
  slowAnswers,
  slowIndexerAnswers,
} from './function-alarms.ts'
import { rejectedCredentials, serverErrors, silence, throttledRequests } from './http-api-alarms.ts'
import { indexerFailures, slowIndexer } from './indexer-alarms.ts'
import { deviceCodeVolume, signInVolume } from './sign-in-alarms.ts'
import {
  indexerPlan,
  indexerVolume,
  playerTokenVolume,
  registrationVolume,
  writeVolume,
} from './volume-alarms.ts'
import { webhookDelay, webhookErrors } from './webhook-alarms.ts'

/** All alarms, from which the stack, the dashboard and docs/alarms.md are made. */
export const alarmTable: readonly AlarmRow[] = [
  serverErrors,
  slowAnswers,
  slowIndexerAnswers,
  silence,
  rejectedCredentials,
  functionThrottles,
  accountConcurrency,
  throttledRequests,
  workerErrors,
  deadLetters,
  oldWork,
  tableThrottles,
  loginFailures,
  indexerFailures,
  slowIndexer,
  followerLag,
  webhookErrors,
  webhookDelay,
  indexerPlan,
  indexerVolume,
  registrationVolume,
  writeVolume,
  playerTokenVolume,
  signInVolume,
  deviceCodeVolume,
]
