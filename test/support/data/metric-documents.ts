import * as v from 'valibot'

/** The required members of a document in CloudWatch's embedded metric format, as far as this service uses it. */
const directive = v.strictObject({
  Timestamp: v.pipe(v.number(), v.integer()),
  CloudWatchMetrics: v.strictTuple([
    v.strictObject({
      Namespace: v.literal('PlayerNfts'),
      Dimensions: v.strictTuple([v.strictTuple([v.literal('deployment')])]),
      Metrics: v.pipe(
        v.array(
          v.strictObject({
            Name: v.string(),
            Unit: v.picklist(['Count', 'Milliseconds', 'Seconds']),
          }),
        ),
        v.minLength(1),
        v.maxLength(100),
      ),
    }),
  ]),
})

const document = v.looseObject({
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  deployment: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
  _aws: directive,
})

/** CloudWatch takes a number, or up to 100 numbers, as the value of a metric. */
const metricValue = v.union([
  v.pipe(v.number(), v.finite()),
  v.pipe(v.array(v.pipe(v.number(), v.finite())), v.minLength(1), v.maxLength(100)),
])

/**
 * The metrics that CloudWatch finds in a log line, by name; none in a line without a declaration. Throws if the
 * line is not an embedded metric document, or has no value for one of its metrics.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function valuesIn(line: Record<string, unknown>): Record<string, number | number[]> {
  if (!('_aws' in line)) return {}
  const { _aws, timestamp, ...fields } = v.parse(document, line)
  if (_aws.Timestamp !== Date.parse(timestamp)) throw new Error('two times in one line')
  const [{ Metrics }] = _aws.CloudWatchMetrics
  return Object.fromEntries(Metrics.map(({ Name }) => [Name, v.parse(metricValue, fields[Name])]))
}

/** The metrics with one value in a log line. */
export const metricsIn = (line: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(valuesIn(line)).flatMap(([name, value]) =>
      Array.isArray(value) ? [] : [[name, value]],
    ),
  )

/** The values of the metric with the time of each call of the indexer in a log line. */
export const indexerTimesIn = (line: Record<string, unknown>): number[] =>
  [valuesIn(line)['indexerCallMilliseconds'] ?? []].flat()

/** The counts of downstream calls in a log line. */
export const countsIn = (line: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(line).filter(([name]) =>
      /^(dynamodb|kms|sqs|secretsManager|indexer|keySet)(Calls|Failures|Units)$/.test(name),
    ),
  )
