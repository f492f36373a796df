import type { OperationId } from '../../functions/operations.ts'
import { type AnyDocumentation, type Examples, example } from '../../lib/contract/documentation.ts'
import type { Auth, Fields, Route } from '../../lib/contract/route.ts'
import { mark } from '../needs.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { responsesOf } from './responses.ts'

type Json = Record<string, unknown>

const credentials: Record<Auth, Json> = {
  NONE: {},
  PRODUCT: { ApiKey: [] },
  USER: { UserJwt: [] },
  SESSION: { Session: [] },
}

/** The credentials of a route: the player token can be sent in two places (D23). */
function securityOf({ auth, player, clientAccess, ...route }: Route): Json[] {
  const credential = credentials[auth]
  if ('isSessionOptional' in route) return [credential, {}]
  if (!player && !clientAccess) return auth === 'NONE' ? [] : [credential]
  const tokens = [{ PlayerTokenHeader: [] }, { PlayerTokenParameter: [] }]
  return [...tokens.map((token) => ({ ...credential, ...token })), ...(clientAccess ? tokens : [])]
}

/** An Operation Object (OpenAPI 3.1), as far as the generator changes it. */
export interface OperationObject extends Json {
  parameters?: Json[]
  responses: Record<string, Json>
}

/** The Operation Object of a route: its credentials, input, responses and prose. */
export function operationObject(
  id: OperationId,
  { operationId, summary }: { operationId: string; summary: string },
  route: Route,
  documentation: AnyDocumentation,
): OperationObject {
  const parameters = [
    ...pathParameters(route, documentation),
    ...(route.clientAccess ? [clientProduct] : []),
    ...queryParameters(route, documentation),
    ...(route.hasAge ? [acceptedAge] : []),
  ]
  return {
    operationId,
    ...mark(route.needs),
    tags: [documentation.tag],
    summary,
    description: documentation.description,
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBody(route, route.body, documentation) }),
    responses: responsesOf(id, route, documentation),
  }
}

const pathParameters = (
  { pathParameters: names = [] }: Route,
  { pathParameters = {} }: AnyDocumentation,
): Json[] =>
  names.map((name) => ({
    name,
    in: 'path',
    description: pathParameters[name]?.description,
    required: true,
    schema: { type: 'string' },
    example: pathParameters[name]?.example,
  }))

/** The parameter that takes the place of the API key (D51). It is a credential, so no schema of a route has it. */
const clientProduct: Json = {
  name: 'productId',
  in: 'query',
  description:
    'The product, in place of the API key, if the product has `clientAccess`. Ignored in a request with an API key. An unknown product, a stopped product and a product without `clientAccess` are all 401 `missing_api_key`.',
  schema: { type: 'string', format: 'uuid' },
  example: example.productId,
}

/** The header with which a caller says which age of an answer it accepts (D156). */
const acceptedAge: Json = {
  name: 'Cache-Control',
  in: 'header',
  description:
    'The age that you accept, in directives of RFC 9111 and RFC 5861, separated by commas. `max-age=<seconds>`: the service asks the indexer if what it has is older. `no-cache`: it asks the indexer in any case, as a last resort. `stale-if-error=<seconds>`: while the indexer is down, the service may use what it has up to this age, of at most a day: a balance that it remembers, or who holds the NFTs of kept contracts. Such an answer has `"stale": true`. Other directives have no effect.',
  schema: { type: 'string' },
  example: 'max-age=60, stale-if-error=3600',
}

const queryParameters = ({ query }: Route, { parameters = {} }: AnyDocumentation): Json[] =>
  Object.entries(query?.entries ?? {}).map(([name, schema]) => {
    const jsonSchema = jsonSchemaOf(schema)
    return {
      name,
      in: 'query',
      description: parameters[name]?.description,
      ...(schema.type !== 'optional' && { required: true }),
      ...(jsonSchema.type === 'array' && { style: 'form', explode: true }),
      schema: jsonSchema,
      example: parameters[name]?.example,
    }
  })

const requestBody = (
  { isBodyOptional, oauth }: Route,
  body: Fields,
  { requests }: AnyDocumentation,
): Json => ({
  required: isBodyOptional !== true,
  content: {
    [oauth ? 'application/x-www-form-urlencoded' : 'application/json']: {
      schema: jsonSchemaOf(body),
      examples: requests && examplesOf(requests),
    },
  },
})

const examplesOf = (examples: Examples<unknown>): Json =>
  Object.fromEntries(
    Object.entries(examples).map(([name, { needs, ...shown }]) => [
      name,
      { ...shown, ...mark(needs) },
    ]),
  )
