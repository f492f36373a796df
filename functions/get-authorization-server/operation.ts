import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import type { Route } from '../../lib/contract/route.ts'

/** D112: the metadata of an authorization server (RFC 8414, section 2). */
export const row = {
  id: 'getAuthorizationServer',
  section: 'D112',
  method: 'GET',
  paths: ['/.well-known/oauth-authorization-server'],
  auth: 'NONE',
  form: 'bare',
  maxAgeSeconds: 300,
  answer: v.object({
    issuer: shownText,
    device_authorization_endpoint: shownText,
    token_endpoint: shownText,
    response_types_supported: v.array(shownText),
    grant_types_supported: v.array(shownText),
    token_endpoint_auth_methods_supported: v.array(shownText),
  }),
  problems: [],
} as const satisfies Route
