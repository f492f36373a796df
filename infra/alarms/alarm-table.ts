import type { AlarmRow } from './alarm-row.ts'
import { deadLetters, oldWork } from './background-alarms.ts'
import { indexerFailures, kmsFailures, tableThrottles } from './dependency-alarms.ts'
import { functionThrottles, slowAnswers, slowIndexerAnswers } from './function-alarms.ts'
import { serverErrors, throttledRequests } from './http-api-alarms.ts'
import {
  indexerVolume,
  playerTokenVolume,
  registrationVolume,
  writeVolume,
} from './volume-alarms.ts'

/** All alarms, from which the stack, the dashboard and docs/runbook.md are made. */
export const alarmTable: readonly AlarmRow[] = [
  serverErrors,
  slowAnswers,
  slowIndexerAnswers,
  functionThrottles,
  throttledRequests,
  deadLetters,
  oldWork,
  tableThrottles,
  kmsFailures,
  indexerFailures,
  indexerVolume,
  registrationVolume,
  writeVolume,
  playerTokenVolume,
]
