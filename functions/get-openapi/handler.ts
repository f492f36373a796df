import openapi from '../../docs/openapi.json' with { type: 'json' }
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { VerbatimJson } from '../../lib/json/verbatim-json.ts'
import { row } from './operation.ts'

/** D33: the OpenAPI 3.1 document of the API. */
export const getOpenapi = operation(row, async () => ({ data: document }))

const document = new VerbatimJson(JSON.stringify(openapi))

export const handler = lambda(getOpenapi, {})
