import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch'
import type { HttpApi } from '../api/http-api.ts'
import type { BackgroundQueue } from '../background/background-queue.ts'
import type { WebhookQueues } from '../background/webhook-queues.ts'
import type { ServiceTable } from '../data/service-table.ts'
import type { Functions } from '../functions.ts'
import type { Volume } from '../settings/alarm-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { volumeThresholds } from '../settings/volume-thresholds.ts'
import type { Step } from './logs-insights.ts'

/** The resources that have alarms. */
export interface Monitored {
  readonly api: HttpApi
  readonly functions: Functions
  readonly queue: BackgroundQueue
  readonly table: ServiceTable
  /** Absent in a deployment without webhooks. */
  readonly webhookQueues?: WebhookQueues | undefined
}

/** A threshold that follows from settings. */
export interface DerivedThreshold {
  /** How the threshold follows, as a part of a sentence in Markdown. */
  readonly rule: string
  value(settings: Settings): number
}

/**
 * When somebody has to act. At once, also at night: callers receive errors, or will soon. The same day: the service is
 * slower, or more expensive. The next working day: no caller notices anything for days.
 */
export type Urgency = 'at once' | 'the same day' | 'the next working day'

/** An entry of docs/alarms.md. Texts are Markdown, and name the stack `$STACK`. */
export interface RunbookEntry {
  readonly name: string
  readonly urgency: Urgency
  /** What has happened, what the value measures, and what callers notice. It becomes a part of the notification. */
  readonly description: string
  /** The steps that find the cause, in order. They are part of the notification. */
  readonly firstSteps: readonly (string | Step)[]
  /** The causes, and the remedy for each. */
  readonly resolution: readonly string[]
}

/** A row of the alarm table. */
export interface AlarmRow extends RunbookEntry {
  /** The alarm state begins when the metric is at or above this value, or at or above that of a volume. */
  readonly threshold: number | Volume | DerivedThreshold
  /** Whether the alarm state begins below the threshold instead, also without any data. */
  readonly isBelow?: true
  /** Whether the alarm state also begins without any data, because what writes them may have stopped. */
  readonly isOnWithoutData?: true
  readonly unit: string
  /** In how many of the last three periods of five minutes; 1 means the last period alone. */
  readonly periods: 1 | 2 | 3
  /** The last period, as a part of a sentence, if it is not five minutes. */
  readonly window?: string
  /** The name of the alarm that notifies in place of this one, while both are on. */
  readonly quietDuring?: string
  /** Whether a deployment with these settings has the alarm; by default, every deployment has it. */
  isIn?(settings: Settings): boolean
  /** Each metric has its own alarm. If there are several, their names are numbered. */
  metrics(resources: Monitored, settings: Settings): IMetric | readonly IMetric[]
  /** What the dashboard shows, if it is more than the metrics of the alarm. */
  graph?(resources: Monitored): readonly IMetric[]
}

/** The threshold of an alarm in a deployment with these settings. */
export function thresholdOf({ threshold }: AlarmRow, settings: Settings): number {
  if (typeof threshold === 'number') return threshold
  return typeof threshold === 'string'
    ? volumeThresholds(settings)[threshold]
    : threshold.value(settings)
}

/** The first step if an update can be the cause. */
export const rollBackAfterUpdate =
  'If it began with an update, roll back: `npm run --silent roll-back -- --stack $STACK`'
