import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import type { OperationDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import type { OperationRequests } from '../../lib/contract/requests.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** The OpenAPI document (D33). */
const openApiDocument = v.looseObject({ openapi: shownText })

/** D33 */
export const row = {
  id: 'getOpenapi',
  section: 'D33',
  method: 'GET',
  paths: [`${base}/openapi.json`],
  auth: 'NONE',
  answer: openApiDocument,
  form: 'bare',
  maxAgeSeconds: 300,
  problems: [],
} as const satisfies Route

/** What a call asks of AWS and of the indexer. */
export const requests: OperationRequests = { each: {} }

/** What the OpenAPI document says of the operation. */
export const documentation = (): OperationDocumentation<typeof row> => ({
  tag: 'Document',
  summary: 'Get OpenAPI document',
  description: 'Returns this document. The `type` of a problem points into it.',
  answers: {
    document: {
      summary: 'How it begins',
      value: { openapi: '3.1.0', info: { title: 'Player NFTs', version: '1.0.0' } },
    },
  },
})
