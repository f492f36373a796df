import openapi from '../../docs/openapi.json' with { type: 'json' }
import { deployedDocument } from '../../lib/contract/deployed-document.ts'
import type { Feature } from '../../lib/contract/route.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { VerbatimJson } from '../../lib/json/verbatim-json.ts'
import { signInRuleIfAny } from '../../lib/settings/sign-in.ts'
import { webhookQueueSettings } from '../../lib/settings/webhooks.ts'
import { row } from './operation.ts'

const settings = {
  walletSignIn: signInRuleIfAny().signInRule,
  webhooks: webhookQueueSettings().queueUrl,
}

const absent = (Object.keys(settings) as Feature[]).filter((name) => settings[name] === undefined)

const document = new VerbatimJson(JSON.stringify(deployedDocument(openapi, absent)))

/** D33: the OpenAPI 3.1 document of the API, without what the deployment does not have (D146). */
export const handler = handlerOf(row, {}, async () => ({ data: document }))
