import type { AttributeValue, Item } from './memory-table.ts'

/** The values of an expression's placeholders. */
export interface Placeholders {
  ExpressionAttributeNames?: Record<string, string> | undefined
  ExpressionAttributeValues?: Item | undefined
}

/** Whether an item, or its absence, meets a condition: comparisons and functions, joined by AND and OR. */
export function meets(
  item: Item | undefined,
  condition: string,
  placeholders: Placeholders,
): boolean {
  const tokens = condition.match(/[#:\w.]+|<=|>=|<>|[=<>(),]/g) ?? []
  const next = () => tokens.shift() ?? ''
  const value = (token: string): AttributeValue | undefined =>
    token.startsWith(':')
      ? placeholders.ExpressionAttributeValues?.[token]
      : attributeAt(item, token, placeholders)

  return either()

  function either(): boolean {
    let met = both()
    while (tokens[0] === 'OR') {
      next()
      met = both() || met
    }
    return met
  }

  function both(): boolean {
    let met = single()
    while (tokens[0] === 'AND') {
      next()
      met = single() && met
    }
    return met
  }

  function single(): boolean {
    const token = next()
    if (token === '(') {
      const met = either()
      next()
      return met
    }
    if (tokens[0] === '(') return call(token)
    return compare(value(token), next(), value(next()))
  }

  function call(name: string): boolean {
    next()
    const subject = value(next())
    const argument = name === 'begins_with' && next() ? value(next()) : undefined
    next()
    if (name === 'attribute_exists') return subject !== undefined
    if (name === 'attribute_not_exists') return subject === undefined
    if (name !== 'begins_with') throw new Error(`${name} is not known to the stub`)
    return textOf(subject).startsWith(textOf(argument))
  }
}

/** The attribute at a path, such as `since.#number`. */
function attributeAt(
  item: Item | undefined,
  path: string,
  placeholders: Placeholders,
): AttributeValue | undefined {
  const [first = '', ...rest] = path.split('.')
  const value = item?.[attributeName(first, placeholders)]
  if (rest.length === 0 || !value) return value
  return 'M' in value ? attributeAt(value.M, rest.join('.'), placeholders) : undefined
}

/** The name of an attribute, or the value of a placeholder. */
export const attributeName = (token: string, { ExpressionAttributeNames }: Placeholders): string =>
  token.startsWith('#') ? (ExpressionAttributeNames?.[token] ?? token) : token

/** The value of a string attribute; `''` for other attributes. */
export const textOf = (value: AttributeValue | undefined): string =>
  value && 'S' in value ? value.S : ''

function compare(
  a: AttributeValue | undefined,
  operator: string,
  b: AttributeValue | undefined,
): boolean {
  if (!a || !b) return false
  const isNumber = 'N' in a && 'N' in b
  const [left, right] = isNumber ? [Number(a.N), Number(b.N)] : [textOf(a), textOf(b)]
  switch (operator) {
    case '=':
      return left === right
    case '<>':
      return left !== right
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    default:
      return left >= right
  }
}
