import { Script } from 'node:vm'

/**
 * The value of a metric math expression in a period with these data; metrics that are not given have none. It knows
 * the functions IF and FILL, SUM, MIN and MAX of lists, AND, and arithmetic, which JavaScript writes in the same way. A missing
 * value is NaN.
 */
export function alarmValue(expression: string, data: Readonly<Record<string, number>>): number {
  const names = new Set(expression.match(/\b[a-z]\w*/g))
  return new Script(expression.replaceAll(' AND ', ' && ')).runInNewContext({
    MIN: (values: number[]) => Math.min(...values),
    MAX: (values: number[]) => Math.max(...values),
    SUM: (values: number[]) => values.reduce((total, value) => total + value, 0),
    IF: (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise),
    FILL: (value: number, instead: number) => (Number.isNaN(value) ? instead : value),
    ...Object.fromEntries([...names].map((name) => [name, data[name] ?? Number.NaN])),
  })
}
