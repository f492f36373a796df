import { grantTypes } from '../../lib/contract/oauth.ts'
import { base } from '../../lib/contract/route.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { pageSettings } from '../../lib/settings/sign-in.ts'
import { row } from './operation.ts'

/** D112: where clients of OAuth find the endpoints (RFC 8414). */
export const handler = handlerOf(row, pageSettings(), async (_, { origin }) => ({
  data: {
    issuer: origin,
    device_authorization_endpoint: `${origin}${base}/device/authorization`,
    token_endpoint: `${origin}${base}/token`,
    response_types_supported: [],
    grant_types_supported: [...grantTypes],
    token_endpoint_auth_methods_supported: ['none'],
  },
}))
