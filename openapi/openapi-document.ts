import { type OperationId, routes } from '../functions/operations.ts'
import type { Tag } from '../lib/contract/documentation.ts'
import type { Route } from '../lib/contract/route.ts'
import {
  apiDescription,
  apiTitle,
  apiVersion,
  headers,
  securitySchemes,
  servers,
  tags,
} from './api.ts'
import { namedSchemas } from './generator/json-schema.ts'
import { operationObject } from './generator/operation-object.ts'
import { problemExamples, problemReferences } from './generator/problem-responses.ts'
import { envelopeSchemas, namedResponses } from './generator/responses.ts'
import { type Paths, shareRepeated } from './generator/shared-components.ts'
import { jsonText } from './json-text.ts'
import { mark, needOf } from './needs.ts'
import { documentationOf } from './operations.ts'

/** The OpenAPI 3.1 document of the API (D33), made from the route table and its documentation. */
export function openApi() {
  const { paths, parameters, responses } = shareRepeated(allPaths())
  return {
    openapi: '3.1.0',
    info: {
      title: apiTitle,
      version: apiVersion,
      description: apiDescription,
      contact: { name: 'The operator of the deployment that serves this document' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers,
    tags: Object.entries(tags).map(([name, description]) => ({
      name,
      description,
      ...mark(needOf(({ id }) => tagOf(id) === name)),
    })),
    paths,
    // A problem refers to its response by `type`. Linters call a response unused that nothing else refers to.
    'x-problems': problemReferences(),
    components: {
      securitySchemes,
      parameters,
      headers,
      responses: { ...namedResponses(), ...responses },
      examples: problemExamples(),
      schemas: { ...namedSchemas(), ...envelopeSchemas() },
    },
  }
}

const tagOf = (id: string): Tag => documentationOf(id as OperationId).tag

/** The document as it is kept in docs/openapi.json. */
export const openApiText = (): string => `${jsonText(openApi(), '', 120)}\n`

function allPaths(): Paths {
  const items: Paths = {}
  for (const [name, route] of Object.entries<Route>(routes)) {
    const id = name as OperationId
    const documentation = documentationOf(id)
    for (const path of route.paths) {
      const { summary } = documentation
      const title = documentation.otherPaths?.[path] ?? { operationId: id, summary }
      items[path] = {
        ...items[path],
        [route.method.toLowerCase()]: operationObject(id, title, route, documentation),
      }
    }
  }
  return items
}
