import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch'
import type { BackgroundQueue } from '../background-queue.ts'
import type { Functions } from '../functions.ts'
import type { HttpApi } from '../http-api.ts'
import type { ServiceTable } from '../service-table.ts'
import { type Volume, type VolumeSettings, volumeThresholds } from '../volume-thresholds.ts'

/** The resources that have alarms. */
export interface Monitored {
  readonly api: HttpApi
  readonly functions: Functions
  readonly queue: BackgroundQueue
  readonly table: ServiceTable
}

/** A row of the alarm table. Texts are Markdown, in the form of docs/runbook.md. */
export interface AlarmRow {
  readonly name: string
  /** What the metric measures, and what callers notice. It becomes the description of the alarm. */
  readonly description: string
  /** The alarm state begins when the metric is at or above this value, or at or above that of a volume. */
  readonly threshold: number | Volume
  readonly unit: string
  /** In how many of the last three periods of five minutes; 1 means the last period alone. */
  readonly periods: 1 | 2 | 3
  /** The steps that find the cause, in order. */
  readonly firstSteps: readonly string[]
  /** The causes, and the remedy for each. */
  readonly resolution: readonly string[]
  /** The metrics by the suffix of the alarm's name. Each metric has its own alarm. */
  metrics(resources: Monitored): Readonly<Record<string, IMetric>>
}

/** The threshold of an alarm in a deployment with these settings. */
export const thresholdOf = ({ threshold }: AlarmRow, settings: VolumeSettings): number =>
  typeof threshold === 'number' ? threshold : volumeThresholds(settings)[threshold]
