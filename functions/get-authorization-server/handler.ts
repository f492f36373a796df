import { grantTypes } from '../../lib/contract/grant-types.ts'
import { base } from '../../lib/contract/route.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { pageSettings } from '../../lib/settings/sign-in.ts'
import { row } from './operation.ts'

/** D112: where clients of OAuth find the endpoints (RFC 8414). */
export const getAuthorizationServer = operation(row, async (_, { origin }: { origin: string }) => ({
  data: {
    issuer: origin,
    device_authorization_endpoint: `${origin}${base}/device/authorization`,
    token_endpoint: `${origin}${base}/token`,
    response_types_supported: [],
    grant_types_supported: [...grantTypes],
    token_endpoint_auth_methods_supported: ['none'],
  },
}))

export const handler = lambda(getAuthorizationServer, pageSettings())
