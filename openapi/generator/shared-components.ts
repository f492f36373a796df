import type { OperationObject } from './operation-object.ts'

type Json = Record<string, unknown>

/** Operation Objects by path and method. */
export type Paths = Record<string, Record<string, OperationObject>>

/**
 * Makes components of the parameters and problem responses that occur in several operations, so that a
 * generated client has one type for each. A parameter keeps its name; a response is named after the
 * codes of its problems. Throws if two different components would have the same name.
 */
export function shareRepeated(paths: Paths) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const parameters = componentsOf(
    'parameters',
    operations.flatMap(({ parameters = [] }) => parameters),
    ({ name }) => String(name),
  )
  const responses = componentsOf(
    'responses',
    operations.flatMap(({ responses }) => Object.values(responses)).filter(canBeShared),
    (response) =>
      `${isOauth(response) ? 'oauth-' : ''}${Object.keys(examplesOf(response)).join('-')}`,
  )
  const refer = (operation: OperationObject): OperationObject => ({
    ...operation,
    ...(operation.parameters && { parameters: operation.parameters.map(parameters.refer) }),
    responses: mapValues(operation.responses, responses.refer),
  })
  return {
    paths: mapValues(paths, (item) => mapValues(item, refer)),
    parameters: parameters.named,
    responses: responses.named,
  }
}

function componentsOf(kind: string, values: readonly Json[], nameOf: (value: Json) => string) {
  const named: Record<string, Json> = {}
  const references = new Map<string, Json>()
  for (const [text, [value, ...repetitions]] of Map.groupBy(values, textOf)) {
    if (value === undefined || repetitions.length === 0) continue
    const name = nameOf(value)
    if (named[name]) throw new Error(`Two different components of ${kind} have the name ${name}.`)
    named[name] = value
    references.set(text, { $ref: `#/components/${kind}/${name}` })
  }
  return { named, refer: (value: Json): Json => references.get(textOf(value)) ?? value }
}

const textOf = (value: Json): string => JSON.stringify(value)

type Content = Record<string, { schema?: Json; examples?: Record<string, Json> }>

/** Whether a response is an error of OAuth 2.0, whose form is plain JSON (RFC 6749, section 5.2). */
const isOauth = ({ content }: Json): boolean =>
  (content as Content | undefined)?.['application/json']?.schema?.['$ref'] ===
  '#/components/schemas/OAuthProblem'

const examplesOf = (response: Json): Record<string, Json> => {
  const type = isOauth(response) ? 'application/json' : 'application/problem+json'
  return (response['content'] as Content | undefined)?.[type]?.examples ?? {}
}

/** Whether all examples suit every operation: that of `invalid_request` belongs to its own. */
function canBeShared(response: Json): boolean {
  const examples = Object.entries(examplesOf(response))
  return (
    examples.length > 0 &&
    examples.every(([code, example]) =>
      isOauth(response) ? code !== 'invalid_request' : '$ref' in example,
    )
  )
}

const mapValues = <From, To>(values: Record<string, From>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
