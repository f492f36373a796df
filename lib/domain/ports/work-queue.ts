import type { WorkItem } from '../work/work-item.ts'

/** The background work queue: delivers each item at least once, in any order. */
export interface WorkQueue {
  /** `delaySeconds`: 0..900; by default, sweeps and deletions are delayed by longer than any function runs. */
  send(item: WorkItem, delaySeconds?: number): Promise<void>
}
