import type { OperationDocumentation } from '../operation-documentation.ts'

/** D33 */
export const getOpenapi: OperationDocumentation<'getOpenapi'> = {
  tag: 'Document',
  summary: 'Get OpenAPI document',
  description: 'Returns this document. The `type` of a problem points into it.',
  answers: {
    document: {
      summary: 'How it begins',
      value: { openapi: '3.1.0', info: { title: 'Player NFTs', version: '1.0.0' } },
    },
  },
}
