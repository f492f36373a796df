import type { OperationId } from '../../functions/operations.ts'
import { jsonText, type Notation } from '../../openapi/json-text.ts'
import { documentationOf } from '../../openapi/operations.ts'
import { type ClientOperation, clientOperations, isList } from './client-operations.ts'
import { nameOf } from './type-text.ts'

/** The call of an operation with a `client`, which prints the answer, with the input of docs/reference.md. */
export function clientCall(id: OperationId): string {
  const operation = clientOperations.find((each) => each.id === id) as ClientOperation
  const item = itemOf(operation)
  const [before, after] = isList(operation)
    ? [`for await (const ${item} of client.${id}(`, `)) console.log(${item})`]
    : [`console.log(await client.${id}(`, '))']
  const input = inputOf(operation)
  const width = 100 - before.length - after.length
  const hasInput = Object.keys(input).length > 0
  return `${before}${hasInput ? jsonText(input, '', width, typescript) : ''}${after}`
}

/** What the command sends: the path, the required parameters and the first body. */
function inputOf({ row, route, parameters }: ClientOperation): Record<string, unknown> {
  const [request] = route.isBodyOptional ? [] : Object.values(documentationOf(row).requests ?? {})
  const named = parameters.filter(({ required }) => required)
  return {
    ...Object.fromEntries(
      named.map(({ name, in: place, example }) => [
        name,
        place === 'path' ? Symbol(name) : example,
      ]),
    ),
    ...(request?.value as object | undefined),
  }
}

/** The last word of the type of a list's items: `nft` for `AllowedNft`. */
const itemOf = ({ answer }: ClientOperation): string =>
  (/[A-Z][a-z]+$/.exec(nameOf(answer.items?.$ref ?? ''))?.[0] ?? 'item').toLowerCase()

/** In TypeScript, where a symbol is a variable. */
const typescript: Notation = {
  member: (name, value) => (name === value ? name : `${name}: ${value}`),
  simple(value) {
    if (typeof value === 'symbol') return String(value.description)
    if (typeof value !== 'string') return JSON.stringify(value)
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  },
}
