import { parseAddress } from '../../lib/domain/nft/address.ts'

/** The most names of an object, and the most levels, that a description has. */
const maxNames = 40
const maxDepth = 5

/** The shape of the values of one claim or field, without any value. JSON in a text is described too. */
export function shapeOf(values: readonly unknown[], depth = 0): string {
  if (depth > maxDepth) return '…'
  const texts = values.filter((value) => typeof value === 'string')
  const lists = values.filter((value) => Array.isArray(value))
  const objects = values.filter(isObject)
  const shapes = [
    ...(texts.length > 0 ? [shapeOfTexts(texts, depth)] : []),
    ...(lists.length > 0 ? [shapeOfLists(lists, depth)] : []),
    ...(objects.length > 0 ? [shapeOfObjects(objects, depth)] : []),
    ...new Set(values.flatMap(plainShape)),
  ]
  return shapes.join(' or ')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function plainShape(value: unknown): string[] {
  if (value === null) return ['null']
  if (typeof value === 'number') return ['a number']
  return typeof value === 'boolean' ? ['true or false'] : []
}

function shapeOfTexts(texts: readonly string[], depth: number): string {
  const parsed = texts.map(jsonIn)
  if (parsed.every((json) => json !== undefined)) {
    const values = parsed.map(({ value }) => value)
    return `text with JSON: ${shapeOf(values, depth + 1)}`
  }
  const isAddresses = texts.every((text) => parseAddress(text).address)
  const lengths = rangeOf(texts.map(({ length }) => length))
  return `text of ${lengths} characters${isAddresses ? ', an address' : ''}`
}

function jsonIn(text: string): { value: unknown } | undefined {
  if (!/^[[{"]/.test(text)) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function shapeOfLists(lists: readonly unknown[][], depth: number): string {
  const size = `list of ${rangeOf(lists.map(({ length }) => length))}`
  const elements = lists.flat()
  return elements.length === 0 ? size : `${size}: ${shapeOf(elements, depth + 1)}`
}

function shapeOfObjects(objects: readonly Record<string, unknown>[], depth: number): string {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  const fields = names.slice(0, maxNames).map((name) => {
    const having = objects.filter((object) => Object.hasOwn(object, name))
    return `${shownName(name)} (${shapeOf(
      having.map((object) => object[name]),
      depth + 1,
    )})`
  })
  const more = names.length > maxNames ? [`${names.length - maxNames} more`] : []
  const noun = objects.length === 1 ? 'object' : 'objects'
  return `${noun} with ${[...fields, ...more].join(', ') || 'no field'}`
}

function rangeOf(numbers: readonly number[]): string {
  const [least, most] = numbers.reduce(
    ([low, high], each) => [Math.min(low, each), Math.max(high, each)],
    [Number.POSITIVE_INFINITY, 0],
  )
  return least === most ? `${most}` : `${least} to ${most}`
}

/** A name as a terminal can show it. */
export const shownName = (name: string): string =>
  /^[\w:/.@-]{1,100}$/.test(name) ? name : `${JSON.stringify(name).slice(0, 100)}`
