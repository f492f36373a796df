import * as v from 'valibot'
import { indexerCallMilliseconds } from '../../lib/domain/time-budget.ts'
import { httpUrl, wholeNumber } from '../../lib/settings/forms.ts'
import { objectOf } from '../../lib/settings/object-form.ts'
import type { SettingTable } from '../../lib/settings/setting.ts'
import { topicArn } from './arn-forms.ts'

const httpsUrl = v.pipe(httpUrl, v.startsWith('https:', 'must be an https URL'))

/** The volumes that have an alarm. Each of them costs money. */
const volumes = [
  'indexerCalls',
  'registrations',
  'writes',
  'playerTokens',
  'signIns',
  'deviceCodes',
  'contractChecks',
] as const

export type Volume = (typeof volumes)[number]

/** The settings of a deployment that are about its alarms. */
export const alarmSettings = {
  alarmEmail: {
    meaning: 'the email address that receives the alarms',
    form: v.pipe(v.string('must be an email address'), v.email('must be an email address')),
    optional: true,
  },
  alarmTopicArn: {
    meaning:
      'a topic of SNS that receives the alarms too, for example of your paging service. Its policy must permit `cloudwatch.amazonaws.com` and `events.amazonaws.com` to publish, and `budgets.amazonaws.com` with `monthlyBudget` ([notifications](operations.md#notifications))',
    form: topicArn,
    optional: true,
  },
  alarmUrl: {
    meaning:
      'an https URL that receives the alarms too; it must confirm the subscription ([notifications](operations.md#notifications))',
    form: httpsUrl,
    optional: true,
  },
  monthlyBudget: {
    meaning:
      'US dollars that the account may cost in a month: the receivers of the alarms get a notification when 80 % are spent, and when AWS expects more than 100 %. The budget is that of the whole account, and free. It stops nothing, and does not contain the bill of Alchemy',
    form: wholeNumber(1, 10_000_000),
    optional: true,
  },
  silenceAlarmMinutes: {
    meaning:
      'the minutes without any request after which the alarm [silence](alarms.md#silence) is on: a multiple of 5 up to 1,440. Set it if somebody always plays',
    form: v.pipe(wholeNumber(5, 1_440), v.multipleOf(5, 'must be a multiple of 5')),
    optional: true,
  },
  slowIndexerMilliseconds: {
    meaning:
      'the time of a call of the indexer, in milliseconds, from which the alarm [slow-indexer-calls](alarms.md#slow-indexer-calls) is on: from 100 to 8,000, because a call ends after 8 s',
    form: wholeNumber(100, indexerCallMilliseconds),
    default: 3_000,
  },
  volumeAlarms: {
    meaning:
      'the volumes in five minutes from which alarms are on, of `contractChecks` in 30: `{"indexerCalls": 73, "registrations": 50, "writes": 300000, "playerTokens": 30000, "signIns": 18000, "deviceCodes": 18000, "contractChecks": 1500}`; each has a [default](operations.md#alarms-on-volume)',
    form: objectOf(
      v.entriesFromList(volumes, v.exactOptional(wholeNumber(1, 1_000_000_000))),
      `must be an object with ${volumes.join(', ')}, all of them optional`,
    ),
    default: {},
  },
} as const satisfies SettingTable
