import { aggregate, type Row } from './aggregates.ts'

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
