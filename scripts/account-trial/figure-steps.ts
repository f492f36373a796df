import { setTimeout as sleep } from 'node:timers/promises'
import { readMinutes, unitsOf } from './bill-units.ts'
import { measureColdStarts } from './cold-starts.ts'
import { markdownTable } from './report.ts'
import type { Step } from './run-steps.ts'
import { deployedIn, type Trial } from './trial.ts'
import { latencyOf, prepareCalls, sendCalls, untilNextMinute } from './warm-calls.ts'

/** CloudWatch has the metrics of a minute after some minutes. */
const minutesUntilMetrics = 4

/** Warm calls of every operation, one operation a minute, and what the bill counts for them. */
export const warmStep: Step<Trial> = {
  name: "Warm calls and the bill's units",
  minutes: 33,
  needs: 'figures',
  async run(trial) {
    const { service, deployment } = deployedIn(trial)
    const prepared = await prepareCalls(service)
    await untilNextMinute()
    // In this minute there are only the requests of the follower of the chain.
    const idle = Date.now()
    const calls = await sendCalls(service, prepared, untilNextMinute)
    await sleep(minutesUntilMetrics * 60_000)
    const minutes = await readMinutes(trial.place, deployment, { calls, idle })
    return markdownTable(
      ['operation', 'p50, ms', 'p99, ms', 'Lambda, ms', 'RRU', 'WRU', 'KMS', 'CU'],
      calls.map((each) => {
        const { p50, p99 } = latencyOf(each)
        const of = unitsOf(each, minutes, idle)
        const counted = [of.lambda, of.readUnits, of.writeUnits, of.kmsCalls, of.indexerUnits]
        return [`\`${each.operation}\``, p50, p99, ...counted]
      }),
    )
  },
}

/** The last step before the removal, because it changes what is deployed. */
export const coldStep: Step<Trial> = {
  name: 'Cold starts',
  minutes: 5,
  needs: 'figures',
  async run(trial) {
    const { deployment } = deployedIn(trial)
    const found = await measureColdStarts(trial.place, deployment.stackName)
    return markdownTable(
      ['operation', 'initialization, ms', 'first request, ms', 'memory, MB'],
      found.map(({ operation, initialization, firstCall, megabytes }) => [
        `\`${operation}\``,
        ...[initialization, firstCall, megabytes],
      ]),
    )
  },
}
