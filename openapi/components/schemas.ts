import { chain } from '../../lib/contract/fields.ts'
import type { AnyDocumentation } from '../operation-documentation.ts'
import { operationDocumentation } from '../operations.ts'
import { fieldError, gatewayMessage, problemDetails } from './problem-details.ts'
import { describedObject, type SchemaDocumentation } from './schema-documentation.ts'

/** Every named schema of the document: the schemas of the operations and the shared ones. */
export const schemaDocumentation: Readonly<Record<string, SchemaDocumentation>> = {
  Chain: { schema: chain(), description: 'The name of a chain. `MUMBAI` was shut down in 2024.' },
  ...schemasOfOperations(),
  Problem: describedObject(problemDetails, 'Problem details (RFC 9457).', {
    success: 'The flag of the envelope.',
    type: 'Where this document describes the problem, relative to the deployment.',
    title: 'What the code means.',
    status: 'The HTTP status.',
    detail: 'What went wrong, in a sentence for a person.',
    code: 'The word that programs switch on. More codes may come, none is ever renamed.',
    requestId: 'Names this request in the log of the service.',
    errors: 'Every bad field (`invalid_request` only).',
  }),
  FieldError: describedObject(fieldError, 'A bad field.', {
    in: 'Where the field is.',
    path: 'Its name; within lists and objects the way to it, joined by dots: `tokens.3`.',
    message: 'What is wrong with it.',
  }),
  GatewayMessage: describedObject(gatewayMessage, 'An answer that API Gateway gives by itself.', {
    message: 'The reason phrase of the status.',
  }),
}

/** The schemas of all operations. Throws if two schemas have the same name. */
function schemasOfOperations(): Record<string, SchemaDocumentation> {
  const schemas: Record<string, SchemaDocumentation> = {}
  for (const documentation of Object.values<AnyDocumentation>(operationDocumentation)) {
    for (const [name, described] of Object.entries(documentation.schemas ?? {})) {
      const other = schemas[name]
      if (other && other !== described) throw new Error(`Two schemas have the name ${name}.`)
      schemas[name] = described
    }
  }
  return schemas
}
