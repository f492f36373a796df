import type { Route } from '../lib/contract/route.ts'
import { type OperationId, routes } from '../lib/contract/routes.ts'
import { apiDescription, apiTitle, apiVersion, tags } from './api.ts'
import { headers } from './components/headers.ts'
import { playerTokenParameters } from './components/player-token-parameters.ts'
import { securitySchemes } from './components/security-schemes.ts'
import { namedSchemas } from './generator/json-schema.ts'
import { operationObject } from './generator/operation-object.ts'
import { problemExamples } from './generator/problem-responses.ts'
import { namedResponses } from './generator/responses.ts'
import { documentationOf } from './operations.ts'

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
    parameters: playerTokenParameters,
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
    const documentation = documentationOf(id as OperationId)
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
