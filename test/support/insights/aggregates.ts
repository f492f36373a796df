/** A log line, or a row of an answer. A field that a line does not have is absent. */
export type Row = Readonly<Record<string, unknown>>

/** The command `stats … by …`: a row for each group of lines, in the order of their first lines. */
export function aggregate(text: string, rows: Row[]): Row[] {
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
