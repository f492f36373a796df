/**
 * The answer of CloudWatch Logs Insights to a query of these log lines, as far as the saved queries use its language:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html
 * Throws an Error for any other text. A value that is missing is blank.
 */
export function runQuery(query: string, lines: readonly Row[]): Row[] {
  const rows = lines
    .map((line) => ({ '@timestamp': line['timestamp'] ?? line['time'], ...line }))
    .toSorted((a, b) => timeOf(a) - timeOf(b))
  return query.split('\n| ').reduce<Row[]>((before, text) => {
    const [, name = '', rest = ''] = /^(\w+) (.+)$/.exec(text) ?? []
    const command = commands[name]
    if (!command) throw new Error(`not a command: ${text}`)
    return command(rest, before)
  }, rows)
}

/** The time of a line, in milliseconds since 1970. */
const timeOf = (row: Row): number => Date.parse(`${row['@timestamp']}`)

const commands: Readonly<Record<string, (text: string, rows: Row[]) => Row[]>> = {
  filter: (text, rows) =>
    rows.filter((row) =>
      text.split(' or ').some((all) => all.split(' and ').every((each) => holds(each, row))),
    ),
  stats: aggregate,
  sort(text, rows) {
    const [, field = '', direction] = /^([@\w]+)(?: (asc|desc))?$/.exec(text) ?? fail(text)
    const sign = direction === 'desc' ? -1 : 1
    return rows.toSorted((a, b) => sign * compare(a[field], b[field]))
  },
  limit: (text, rows) => rows.slice(0, Number(text)),
  display(text, rows) {
    const names = text.split(', ')
    return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? ''])))
  },
  // What it does not name can be used by the commands after it.
  fields: (_, rows) => rows,
}

/** Whether a condition, such as `status >= 500`, holds for a line. */
function holds(condition: string, row: Row): boolean {
  const [, present] = /^ispresent\((\w+)\)$/.exec(condition) ?? []
  if (present) return present in row && row[present] !== undefined
  const [, field = '', operator, value = ''] =
    /^(\w+) (=|>|>=) ("[^"]*"|\d+)$/.exec(condition) ?? fail(condition)
  if (row[field] === undefined) return false
  const difference = compare(row[field], JSON.parse(value))
  return operator === '=' ? difference === 0 : difference > 0 || (operator === '>=' && !difference)
}

/** Compares as numbers, if both are. */
function compare(a: unknown = '', b: unknown = ''): number {
  const difference = Number(a) - Number(b)
  if (!Number.isNaN(difference) && a !== '' && b !== '') return difference
  return `${a}` < `${b}` ? -1 : Number(`${a}` > `${b}`)
}

function fail(text: string): never {
  throw new Error(`not understood: ${text}`)
}

/** A log line, or a row of an answer. A field that a line does not have is absent. */
export type Row = Readonly<Record<string, unknown>>

/** The command `stats … by …`: a row for each group of lines, in the order of their first lines. */
function aggregate(text: string, rows: Row[]): Row[] {
  const [values = '', keys = ''] = text.split(' by ')
  const groups = new Map<string, { group: Row; lines: Row[] }>()
  for (const row of rows) {
    const group = Object.fromEntries(partsOf(keys).map((key) => keyOf(key, row)))
    const id = JSON.stringify(group)
    const { lines } = groups.get(id) ?? { lines: [] }
    groups.set(id, { group, lines: [...lines, row] })
  }
  return [...groups.values()].map(({ group, lines }) => ({
    ...group,
    ...Object.fromEntries(partsOf(values).map((value) => valueIn(value, lines))),
  }))
}

/** The parts of a list between its commas, without those in parentheses. */
const partsOf = (list: string): string[] => list.split(/, (?![^(]*\))/)

const binMilliseconds = 300_000

function keyOf(key: string, row: Row): [name: string, value: unknown] {
  const [expression = '', name = expression] = key.split(' as ')
  if (expression !== 'bin(5m)') return [name, row[expression] ?? '']
  const time = Date.parse(`${row['@timestamp']}`)
  return [name, new Date(time - (time % binMilliseconds)).toISOString()]
}

function valueIn(value: string, lines: readonly Row[]): [name: string, value: unknown] {
  const [expression = '', name = expression] = value.split(' as ')
  const [, of = '', field, percent, divisor] =
    /^(\w+)\((\w*)(?:, (\d+))?\)(?: \/ (\d+))?$/.exec(expression) ?? []
  const total = functions[of]
  if (!total) throw new Error(`not a function: ${expression}`)
  const found = field ? lines.flatMap((line) => line[field] ?? []) : [...lines]
  const result = total(found, Number(percent))
  return [name, divisor ? Number(result) / Number(divisor) : (result ?? '')]
}

const numbers = (values: readonly unknown[]): number[] => values.map(Number)

const sum = (values: readonly unknown[]): number => numbers(values).reduce((a, b) => a + b, 0)

/** The functions over the values of a field in the lines of a group, in the order of their times. */
const functions: Readonly<Record<string, (values: unknown[], percent: number) => unknown>> = {
  count: (values) => values.length,
  count_distinct: (values) => new Set(values).size,
  sum,
  avg: (values) => (values.length > 0 ? sum(values) / values.length : undefined),
  max: (values) => (values.length > 0 ? Math.max(...numbers(values)) : undefined),
  earliest: (values) => values[0],
  latest: (values) => values.at(-1),
  pct(values, percent) {
    const sorted = numbers(values).toSorted((a, b) => a - b)
    return sorted[Math.ceil((percent / 100) * sorted.length) - 1]
  },
}
