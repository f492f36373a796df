/**
 * The metrics that the functions' log lines bring to CloudWatch, in its embedded metric format, with
 * their units. Each costs by the month and function, so what is only read in the log is none of them.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const metricNamespace = 'PlayerNfts'

/** The one dimension of every metric: the name of the Lambda function. */
export const metricDimension = 'functionName'

/** Of what was asked of other services: both of a pair, or none if the service was not needed. */
const downstreamMetrics = {
  /** HTTP requests, each attempt of its own. */
  indexerCalls: 'Count',
  kmsCalls: 'Count',
  /** What came to nothing in the end, however many attempts it took. */
  indexerFailures: 'Count',
  kmsFailures: 'Count',
} as const

/** Of each request. */
export const requestMetrics = {
  durationMilliseconds: 'Milliseconds',
  /** 1 for an answer of 500 or 503, else 0. */
  serverErrors: 'Count',
  ...downstreamMetrics,
} as const

/** Of each message of the work queue. */
export const workMetrics = {
  /** 1 for a message that comes again, else 0. */
  workFailures: 'Count',
  ...downstreamMetrics,
} as const
