import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { unknownLagSeconds } from '../../lib/observability/metrics.ts'
import { isKeeping } from '../settings/feature-rules.ts'
import type { Settings } from '../settings/settings.ts'
import { type AlarmRow, rollBackAfterUpdate } from './alarm-row.ts'
import { grouped, type Step, step } from './logs-insights.ts'
import { failuresOf, loggedMetric, period } from './metrics.ts'
import { readErrors } from './shared-steps.ts'

const workerThreshold = 10

export const workerErrors: AlarmRow = {
  name: 'worker-errors',
  urgency: 'the same day',
  description:
    'The worker failed to process messages of the background work, or was ended by Lambda. The value is how often, and 10 more if it always fails, at least three times. A message is delivered again after six minutes, five times in all. Callers see no wrong data.',
  threshold: workerThreshold,
  unit: 'failures',
  periods: 1,
  window: '30 minutes',
  quietDuring: 'indexer-failures',
  firstSteps: [
    readErrors('Read the errors, in the log group of the worker:'),
    'If there are no such lines, Lambda has ended the worker: read the lines of Lambda with `type = "platform.report"` for a timeout or too little memory.',
    rollBackAfterUpdate,
  ],
  resolution: [
    'Errors of a service: see the health page of the service. The messages are delivered again.',
    'Every message fails since an update: [roll back](runbook.md#rolling-back) before the fifth failure, 24 minutes after the first, so that no message goes to the dead-letter queue.',
    'A message went to the dead-letter queue: continue with [dead-letters](#dead-letters).',
  ],
  metrics: (resources) =>
    failuresOf('workFailures', resources.functions.worker, workerThreshold, resources),
}

const moveMessagesBack = [
  '```text',
  'QUEUE=$(aws cloudformation describe-stacks --stack-name "$STACK" --output text \\',
  `  --query "Stacks[0].Outputs[?OutputKey=='DeadLetterQueueUrl'].OutputValue")`,
  'QUEUE_ARN=$(aws sqs get-queue-attributes --queue-url "$QUEUE" --attribute-names QueueArn \\',
  '  --query Attributes.QueueArn --output text)',
  'aws sqs start-message-move-task --source-arn "$QUEUE_ARN"',
  '```',
].join('\n')

export const deadLetters: AlarmRow = {
  name: 'dead-letters',
  urgency: 'the next working day',
  description:
    'Messages of the background work are in the dead-letter queue. The value is their number. Each message failed five times. Callers see no wrong data. SQS deletes a message 14 days after it was sent.',
  threshold: 1,
  unit: 'messages',
  periods: 1,
  firstSteps: [readErrors('Read the errors, in the log group of the worker:')],
  resolution: [
    'Fix the cause of the errors. The work that waits is the cleanup after an unbinding (`sweep`), the rest of a refresh, which stays incomplete until then (`refresh`), or the deletion of a product, whose data stays in the table until then (`deleteProduct`). All other kinds are about kept holdings: the worker sends them again by itself, and their contracts are asked for until then.',
    `Then move the messages back to the queue: SQS console, dead-letter queue, "Start DLQ redrive", or on the command line. It is safe to process a message again.
${moveMessagesBack}`,
  ],
  metrics: ({ queue }) => queue.deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
}

export const oldWork: AlarmRow = {
  name: 'old-work',
  urgency: 'the same day',
  description:
    'The background work is late. The value is the age of the oldest message in its queue. Callers see no wrong data.',
  threshold: 900,
  unit: 's',
  periods: 3,
  quietDuring: 'indexer-failures',
  firstSteps: [
    'Check the alarm function-throttles. While Lambda throttles the worker, it does not run.',
    readErrors('Look for errors, in the log group of the worker:'),
  ],
  resolution: [
    'The worker is throttled: continue with [function-throttles](#function-throttles).',
    'The worker fails: fix the cause of the errors. After five failures, a message goes to the dead-letter queue; see [dead-letters](#dead-letters).',
    'Neither: wait. The worker processes five messages at the same time. After a large refresh or unbinding, messages wait for a while, and their number decreases.',
  ],
  metrics: ({ queue }) => queue.queue.metricApproximateAgeOfOldestMessage({ period }),
}

const failuresByChain = (text: string): Step =>
  step(
    text,
    { subject: 'follower-lag', name: 'failures-by-chain', logs: 'followers' },
    'filter ispresent(followFailures)',
    grouped(
      'latest(followLagSeconds) as lag, sum(followFailures) as failures, max(refusedContracts) as refused, max(busyContracts) as busy',
      'chain, reason',
    ),
    'sort last desc',
  )

const isFollowing = ({ followedChains = [], maintenance = false }: Settings): boolean =>
  followedChains.length > 0 && !maintenance

/** How far the followed chains are read (D152). */
export const followerLag: AlarmRow = {
  name: 'follower-lag',
  urgency: 'the same day',
  description:
    'A chain is followed late. The value is the largest over all chains: the time since the last block that was read, or 600 s if nobody knows it. Above about 55 s, reads ask the indexer also for contracts that are kept: callers see slower answers.',
  threshold: 120,
  unit: 's',
  periods: 2,
  isOnWithoutData: true,
  firstSteps: [
    failuresByChain('Find out which chain is late, why, and since when following it fails:'),
    step(
      'Find out since when it is late, and whether it catches up:',
      { name: 'lag-by-time', logs: 'followers' },
      'filter ispresent(followFailures)',
      'stats max(followLagSeconds) as lag, sum(followFailures) as failures by chain, bin(5m) as period',
      'sort period desc',
    ),
    'Without lines in the last minutes: look at the metrics `Invocations`, `Errors` and `Throttles` of the function in Lambda, and whether its rule in EventBridge is enabled.',
  ],
  resolution: [
    '[A stuck follower](runbook.md#a-stuck-follower) says what the answers of the queries mean.',
    'The `reason` is a failure of the indexer: see [indexer-failures](#indexer-failures).',
    '`refused` is above 0: continue with [refused-contracts](#refused-contracts).',
    'There is no failure: the latest block of the chain is old. See the status page of the chain, and of Alchemy for its network. The follower catches up by itself.',
    'The deployment has begun to follow chains less than 15 minutes ago, or has left maintenance: there are no values of the time before. The alarm ends by itself.',
    'It does not recover: take the chain out of `followedChains`, and deploy. Its NFTs are then asked for at the indexer.',
  ],
  isIn: isFollowing,
  metrics: (resources) => {
    const lag = loggedMetric('followLagSeconds', resources, period, Stats.MAXIMUM)
    // CloudWatch fills a gap between values, which rings sooner, but not certainly a series without any value.
    const expression = `FILL(lag, ${unknownLagSeconds})`
    return new MathExpression({ expression, usingMetrics: { lag }, label: 'lag', period })
  },
}

/** The contracts that are not followed because the indexer refuses their events (D139). */
export const refusedContracts: AlarmRow = {
  name: 'refused-contracts',
  urgency: 'the same day',
  description:
    'The indexer refuses the events of contracts on a followed chain, even those of one block. The value is the largest number of them on a chain. They are not followed, and not kept: reads of their NFTs ask the indexer, and games are told that they miss events.',
  threshold: 1,
  unit: 'contracts',
  periods: 2,
  firstSteps: [failuresByChain('Find out on which chain, and since when:')],
  resolution: [
    'Look at the limits of `eth_getLogs` of your plan, and ask the support of the indexer with the chain and the time ([a stuck follower](runbook.md#a-stuck-follower)). The follower asks for the contracts again after an hour.',
    'It does not end: take the chain out of `followedChains`, and deploy. Its NFTs are then asked for at the indexer.',
  ],
  isIn: isFollowing,
  metrics: (resources) => loggedMetric('refusedContracts', resources, period, Stats.MAXIMUM),
}

/** The snapshots that audits and second looks have ended (D154). */
export const endedSnapshots: AlarmRow = {
  name: 'ended-snapshots',
  urgency: 'the next working day',
  description:
    'What is kept of the holders of a contract differed from its chain, twice. The value is the number of snapshots that ended for it. Readers may have seen wrong NFTs of these contracts before. Since then, reads of them ask the indexer, and the service takes another snapshot by itself.',
  threshold: 1,
  unit: 'snapshots',
  periods: 1,
  firstSteps: [
    step(
      'Find out of which contracts, since when, and what found it, in the log group of the worker:',
      { name: 'by-contract', logs: 'worker' },
      'filter endedSnapshots > 0',
      grouped('sum(endedSnapshots) as snapshots', 'kind, chain, contract, reason'),
      'sort last desc',
    ),
  ],
  resolution: [
    'Nothing has to be done at once. [Snapshots that ended](runbook.md#snapshots-that-ended) says what the query means, and what to report.',
    'It is the second time in a row for a contract: it is asked for, for a week. Its reads count for the limits of their products like those of other contracts that are not kept.',
  ],
  isIn: (settings) => isKeeping(settings) && !settings.maintenance,
  metrics: (resources) => loggedMetric('endedSnapshots', resources),
}
