import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { AlarmRow } from './alarm-row.ts'
import { loggedMetric, period, single } from './metrics.ts'

/** The lag that stands for a follower that wrote none, in seconds. */
const unknownLagSeconds = 600

/** How far the followers of chains are behind (D66). */
export const followerLag: AlarmRow = {
  name: 'follower-lag',
  urgency: 'the same day',
  description:
    'The follower of a chain is late. The value is the time since the last block that it has read, or 600 s if a follower does not run. Above 60 s, reads ask the indexer, so callers see slower answers and no wrong data.',
  threshold: 120,
  unit: 's',
  periods: 2,
  firstSteps: [
    'Read the lines of the followers, in the log groups with `follow-chain` in their names. A line has the `chain`, `followLagSeconds`, and the `reason` of the last failure.',
    'Without lines in the last minutes: look at the metrics `Invocations`, `Errors` and `Throttles` of the function in Lambda, and whether its rule in EventBridge is enabled.',
  ],
  resolution: [
    'The `reason` is a failure of the indexer: see [indexer-failures](#indexer-failures).',
    'There is no failure: the latest block of the chain is old. See the status page of the chain, and of Alchemy for its network. The follower catches up by itself.',
    'It does not recover: take the chain out of `followedChains`, and deploy. Its answers are then asked for at the indexer.',
  ],
  isIn: ({ followedChains = [], maintenance = false }) => followedChains.length > 0 && !maintenance,
  metrics: (resources) => {
    const lag = loggedMetric('followLagSeconds', resources, period, Stats.MAXIMUM)
    const runs = [...resources.functions.followers.values()].map(({ function: follower }) =>
      follower.metricInvocations({ period }),
    )
    const usingMetrics = {
      lag,
      ...Object.fromEntries(runs.map((run, index) => [`runs${index}`, run])),
    }
    const stopped = runs.map((_, index) => `IF(FILL(runs${index}, 0) < 1, ${unknownLagSeconds}, 0)`)
    const expression = `MAX([${[`FILL(lag, ${unknownLagSeconds})`, ...stopped].join(', ')}])`
    return single(new MathExpression({ expression, usingMetrics, label: 'lag', period }))
  },
}
