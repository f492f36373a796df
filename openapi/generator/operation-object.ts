import type { Auth, Fields, Route } from '../../lib/contract/route.ts'
import type { AnyDocumentation, ParameterDocumentation } from '../operation-documentation.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { responsesOf } from './responses.ts'

type Json = Record<string, unknown>

const security: Record<Auth, readonly Json[]> = {
  NONE: [],
  PRODUCT: [{ ApiKey: [] }],
  USER: [{ UserJwt: [] }],
}

/** The Operation Object of a route (OpenAPI 3.1): its input, responses and prose. */
export function operationObject(
  operationId: string,
  summary: string,
  route: Route,
  documentation: AnyDocumentation,
): Json {
  const parameters = [
    ...(route.player ? playerTokenParameters : []),
    ...(route.query ? queryParameters(route.query, documentation.parameters ?? {}) : []),
  ]
  return {
    operationId,
    tags: [documentation.tag],
    summary,
    description: documentation.description,
    security: security[route.auth],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBody(route.body, documentation) }),
    responses: responsesOf(route, documentation),
  }
}

/** The player token is a parameter, not a security scheme, because one game calls for many players. */
const playerTokenParameters = [
  { $ref: '#/components/parameters/playerToken' },
  { $ref: '#/components/parameters/X-Player-Token' },
]

const queryParameters = (
  fields: Fields,
  documentation: Record<string, ParameterDocumentation>,
): Json[] =>
  Object.entries(fields.entries).map(([name, schema]) => {
    const jsonSchema = jsonSchemaOf(schema)
    return {
      name,
      in: 'query',
      description: documentation[name]?.description,
      ...(schema.type !== 'optional' && { required: true }),
      ...(jsonSchema.type === 'array' && { style: 'form', explode: true }),
      schema: jsonSchema,
      example: documentation[name]?.example,
    }
  })

const requestBody = (body: Fields, { requests }: AnyDocumentation): Json => ({
  required: true,
  content: { 'application/json': { schema: jsonSchemaOf(body), examples: requests } },
})
