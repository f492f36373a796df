import openapi from '../../docs/openapi.json' with { type: 'json' }
import withSignIn from '../../docs/openapi-sign-in.json' with { type: 'json' }
import { withoutOperationsOf } from '../../lib/contract/without-operations.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { VerbatimJson } from '../../lib/json/verbatim-json.ts'
import { webhookQueueSettings } from '../../lib/settings/webhooks.ts'
import { row } from './operation.ts'

/** D33: the OpenAPI 3.1 document of the API, where players sign in with their wallets with those operations (D116). */
export const getOpenapi = operation(row, async () => ({ data: document }))

const whole = globalThis.WALLET_SIGN_IN === false ? openapi : withSignIn

const hasWebhooks = webhookQueueSettings().queueUrl !== undefined

const document = new VerbatimJson(
  JSON.stringify(hasWebhooks ? whole : withoutOperationsOf('Webhooks', whole)),
)

export const handler = lambda(getOpenapi, {})
