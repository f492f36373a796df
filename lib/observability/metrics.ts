/**
 * The metrics that the log lines of the functions contain, in CloudWatch's embedded metric format, with
 * their units. CloudWatch charges for each metric, so each is read by an alarm or the dashboard, and other numbers stay in the log.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const metricNamespace = 'PlayerNfts'

/** The one dimension of every metric: the name of the deployment, as {@link deploymentOf} returns it. */
export const metricDimension = 'deployment'

/** Calls to other services: all metrics of a service, or none if it was not called. */
const downstreamMetrics = {
  /** HTTP requests. Each attempt counts. */
  indexerCalls: 'Count',
  kmsCalls: 'Count',
  /** The compute units that the indexer bills for its calls. */
  indexerUnits: 'Count',
  /** Calls that failed after all their attempts. */
  indexerFailures: 'Count',
  kmsFailures: 'Count',
  keySetFailures: 'Count',
} as const

/** The time of each call of the indexer, with all its attempts: a list in each line, without those of followers. */
export const indexerTimes = { indexerCallMilliseconds: 'Milliseconds' } as const

/**
 * Buckets of the networks that log in, by a digest, because an alarm cannot count different values. Each is 1 for a login that
 * failed for a reason of the deployment, 0 for one that succeeded, and absent in other lines (D138).
 */
const loginMetrics = {
  loginFailures0: 'Count',
  loginFailures1: 'Count',
  loginFailures2: 'Count',
  loginFailures3: 'Count',
  loginFailures4: 'Count',
  loginFailures5: 'Count',
  loginFailures6: 'Count',
  loginFailures7: 'Count',
} as const

type LoginMetric = keyof typeof loginMetrics

export const loginNetworks = Object.keys(loginMetrics) as [LoginMetric, ...LoginMetric[]]

export const requestMetrics = {
  ...downstreamMetrics,
  ...indexerTimes,
  ...loginMetrics,
  /** The age of what an answer about a player's NFTs says of main networks; absent if it says nothing of them (D145). */
  mainAnswerAgeSeconds: 'Seconds',
  /** 1 for a request that failed because of the indexer or for which a call of it failed, 0 for one that it served, otherwise absent (D138). */
  indexerRequestFailures: 'Count',
  /** 1 for a response with the code `indexer_unavailable` or `chain_unavailable`, otherwise absent. */
  indexerUnavailableAnswers: 'Count',
  /** 1 for any other response with a status from 500, 0 for a running game that is served, otherwise absent (D149). */
  serverErrorAnswers: 'Count',
  /**
   * 1: a running game's credential is refused for a reason that can be the deployment's; 0: it is served; else absent
   * (D149).
   */
  credentialFailures: 'Count',
  /** 1 for a sign-in with a wallet that failed because of the service, 0 for one that succeeded, otherwise absent (D149). */
  signInFailures: 'Count',
  /** The HTTP requests that ask smart accounts about signatures. Each attempt counts. */
  smartAccountsCalls: 'Count',
  /** Those of them that had no answer. */
  smartAccountsFailures: 'Count',
} as const

export type RequestMetrics = {
  [metric in Exclude<keyof typeof requestMetrics, keyof typeof indexerTimes>]?: number | undefined
}

/** The lag of a chain of which nothing is known, and of the follower when it writes nothing, in seconds. */
export const unknownLagSeconds = 600

/** The metrics of each chain in an invocation of the follower (D152). */
export const followMetrics = {
  /** The time since the last block that is read, or {@link unknownLagSeconds}. */
  followLagSeconds: 'Seconds',
  /** The contracts that are not followed because the indexer refuses their events (D139). */
  refusedContracts: 'Count',
  ...downstreamMetrics,
} as const

export const workMetrics = {
  /** 1 for a message that is delivered again, else 0. */
  workFailures: 'Count',
  /** 1 for a message that failed because the indexer is unavailable, otherwise absent. */
  indexerUnavailableMessages: 'Count',
  /** The snapshots that an audit or a second look has ended; absent where it would be 0 (D154). */
  endedSnapshots: 'Count',
  ...downstreamMetrics,
  ...indexerTimes,
} as const

/** The metrics of each message of the queues of webhooks, and of each sweep (D122). */
export const deliveryMetrics = {
  /** 1 if the service itself has failed, 0 if it has called the server of a webhook, whatever that answered, otherwise absent (D138). */
  deliveryDefects: 'Count',
  /** The time from when a delivery was due until it began; absent if the server had made it wait. */
  webhookDelaySeconds: 'Seconds',
  /** 1 for a sweep that has sent its messages, otherwise absent (D149). */
  webhookSweeps: 'Count',
  ...downstreamMetrics,
} as const

/** The name of the deployment of a function: functions are named `<deployment>-<name>`. Another name is its own. */
export const deploymentOf = (functionName: string, name: string): string =>
  functionName.endsWith(`-${name}`) ? functionName.slice(0, -name.length - 1) : functionName
