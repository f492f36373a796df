import { metricDimension, metricNamespace } from './metrics.ts'

/** A metric, and its declaration in the embedded metric format, as JSON. */
export interface Metric {
  name: string
  declaration: string
}

export const declaredMetrics = (units: Record<string, string>): Metric[] =>
  Object.entries(units).map(([name, unit]) => ({
    name,
    declaration: JSON.stringify({ Name: name, Unit: unit }),
  }))

/**
 * Writes a line of JSON, to standard output directly: Lambda's console adds a prefix or wraps the line in another
 * document, and CloudWatch then finds no metrics. How Lambda reads `level` and `timestamp`:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 */
export function writeLine(
  level: 'INFO' | 'ERROR',
  fields: Record<string, unknown>,
  metrics: readonly Metric[] = [],
): void {
  const now = new Date()
  const start = `{"level":"${level}","timestamp":"${now.toISOString()}",`
  const metadata = metricDirective(now, fields, metrics)
  process.stdout.write(`${start}${JSON.stringify(fields).slice(1, -1)}${metadata}}\n`)
}

const directiveStart = JSON.stringify({
  Namespace: metricNamespace,
  Dimensions: [[metricDimension]],
}).slice(0, -1)

/**
 * Declares the fields with a unit as metrics, in CloudWatch's embedded metric format. A line without such a field has
 * no declaration. The declarations are JSON already, because they are the same in most lines.
 */
function metricDirective(
  now: Date,
  fields: Record<string, unknown>,
  metrics: readonly Metric[],
): string {
  let declared = ''
  for (const { name, declaration } of metrics) {
    if (fields[name] !== undefined) declared += declared ? `,${declaration}` : declaration
  }
  if (declared === '') return ''
  return `,"_aws":{"Timestamp":${now.getTime()},"CloudWatchMetrics":[${directiveStart},"Metrics":[${declared}]}]}`
}
