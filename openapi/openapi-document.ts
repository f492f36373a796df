import type { Route } from '../lib/contract/route.ts'
import { type OperationId, routes } from '../lib/contract/routes.ts'
import { apiDescription, apiTitle, apiVersion, securitySchemes } from './documentation/api.ts'
import { type AnyDocumentation, tags } from './documentation/documentation.ts'
import { example } from './documentation/examples.ts'
import { operationDocumentation } from './documentation/operations.ts'
import { namedSchemas } from './json-schema.ts'
import { operationObject } from './operation-object.ts'
import { problemExamples } from './problem-responses.ts'
import { namedResponses } from './responses.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1 document of the API (D33), made from the route table and its documentation. */
export const openApi = () => ({
  openapi: '3.1.0',
  info: {
    title: apiTitle,
    version: apiVersion,
    description: apiDescription,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/', description: 'The deployment that serves this document.' }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: paths(),
  components: {
    securitySchemes,
    parameters: playerTokenParameters(),
    headers,
    responses: namedResponses(),
    examples: problemExamples(),
    schemas: namedSchemas(),
  },
})

/** The document as it is kept in docs/openapi.json. */
export const openApiText = (): string => `${JSON.stringify(openApi(), null, 2)}\n`

function paths(): Record<string, Json> {
  const items: Record<string, Json> = {}
  for (const [id, route] of Object.entries<Route>(routes)) {
    const documentation: AnyDocumentation = operationDocumentation[id as OperationId]
    for (const path of route.paths) {
      const { operationId, summary } = documentation.otherPaths?.[path] ?? {
        operationId: id,
        summary: documentation.summary,
      }
      items[path] = {
        ...items[path],
        [route.method.toLowerCase()]: operationObject(operationId, summary, route, documentation),
      }
    }
  }
  return items
}

const playerTokenParameters = (): Json => ({
  playerToken: {
    name: 'playerToken',
    in: 'query',
    description: 'The player token. Required, unless `X-Player-Token` carries it.',
    schema: { type: 'string' },
    example: example.playerToken,
  },
  'X-Player-Token': {
    name: 'X-Player-Token',
    in: 'header',
    description:
      'The player token, kept out of the URL. Required, unless `playerToken` carries it.',
    schema: { type: 'string' },
    example: example.playerToken,
  },
})

const headers = {
  NoStore: {
    description: 'The answer may not be kept.',
    schema: { const: 'no-store' },
  },
  Public: {
    description: 'Anyone may keep the answer for 5 minutes.',
    schema: { const: 'public, max-age=300' },
  },
  'Retry-After': {
    description: 'When to try again, in seconds. Absent when API Gateway answers by itself.',
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'WWW-Authenticate': {
    description:
      '`ApiKey` for the API key, `Bearer` when the user JWT is missing, the other for a token that is not accepted.',
    schema: { enum: ['ApiKey', 'Bearer', 'Bearer error="invalid_token"'] },
    example: 'ApiKey',
  },
}
