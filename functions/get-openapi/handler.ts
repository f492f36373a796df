import openapi from '../../docs/openapi.json' with { type: 'json' }
import withSignIn from '../../docs/openapi-sign-in.json' with { type: 'json' }
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { VerbatimJson } from '../../lib/json/verbatim-json.ts'
import { row } from './operation.ts'

/** D33: the OpenAPI 3.1 document of the API, where players sign in with their wallets with those operations (D116). */
export const getOpenapi = operation(row, async () => ({ data: document }))

const document = new VerbatimJson(
  JSON.stringify(globalThis.WALLET_SIGN_IN === false ? openapi : withSignIn),
)

export const handler = lambda(getOpenapi, {})
