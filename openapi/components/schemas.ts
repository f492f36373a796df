import {
  type AnyDocumentation,
  describedObject,
  type SchemaDocumentation,
} from '../../lib/contract/documentation.ts'
import { chain } from '../../lib/contract/fields/nfts.ts'
import { operationDocumentation } from '../operations.ts'
import {
  exhaustedLimit,
  fieldError,
  gatewayMessage,
  oauthProblem,
  problemDetails,
} from './problem-details.ts'

/** The meaning of the members of a problem. */
const problemMeaning = {
  success: 'Always `false`: only an answer with `data` is a success.',
  type: 'Reference to the description of the problem in this document, relative to the deployment.',
  title: 'The meaning of the code.',
  status: 'The HTTP status.',
  detail: 'A sentence for a person that describes the problem.',
  code: 'The code for programs. Codes can be added and are never renamed.',
  requestId: 'Identifies this request in the log of the service.',
  errors: 'Every invalid field (`invalid_request` only).',
  limit: 'The exhausted limit (`rate_limited` only).',
}

/** Every named schema of the document: the schemas of the operations and the shared ones. */
export const schemaDocumentation: Readonly<Record<string, SchemaDocumentation>> = {
  Chain: {
    schema: chain(),
    description:
      'The name of a chain. A deployment opens some of these chains for allowlisting. `BSC_TESTNET` and `MUMBAI` cannot be opened: they only have entries of earlier releases.',
  },
  ...schemasOfOperations(),
  Problem: describedObject(problemDetails, 'Problem details (RFC 9457).', problemMeaning),
  FieldError: describedObject(fieldError, 'An invalid field.', {
    in: 'The part of the request that contains the field.',
    path: 'The name of the field; within lists and objects the path, joined by dots: `tokens.3`.',
    message: 'The fault of the field.',
  }),
  ExhaustedLimit: describedObject(exhaustedLimit, 'A limit of the caller that is exhausted.', {
    name: 'The name of the limit. Names can be added and are never renamed.',
    count: 'The amount that the limit allows in `perSeconds`.',
    perSeconds: 'The period in seconds. Absent in a limit of a total.',
  }),
  OAuthProblem: describedObject(
    oauthProblem,
    'An error of OAuth 2.0 (RFC 6749, section 5.2), with problem details.',
    {
      error: 'The error of OAuth 2.0.',
      error_description: 'The same sentence as `detail`, in ASCII.',
      ...problemMeaning,
    },
  ),
  GatewayMessage: describedObject(gatewayMessage, 'A response of API Gateway itself.', {
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
