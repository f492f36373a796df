import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import { type Documentation, describedObject } from '../../lib/contract/documentation.ts'
import type { OperationRequests, Route } from '../../lib/contract/route.ts'

/** D112: the metadata of an authorization server (RFC 8414, section 2). */
export const row = {
  id: 'getAuthorizationServer',
  section: 'D112',
  needs: 'walletSignIn',
  method: 'GET',
  paths: ['/.well-known/oauth-authorization-server'],
  auth: 'NONE',
  form: 'bare',
  maxAgeSeconds: 300,
  shifted: true,
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

export const requests: OperationRequests = { each: {} }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Sign-in',
  summary: 'Get authorization server metadata',
  description:
    'Where clients of OAuth 2.0 find the endpoints (RFC 8414). `issuer` is the origin of the page, and not that of player tokens.',
  answers: {
    metadata: {
      summary: 'The metadata',
      value: {
        issuer: 'https://play.brindlewake.example',
        device_authorization_endpoint:
          'https://play.brindlewake.example/api/public/v1/device/authorization',
        token_endpoint: 'https://play.brindlewake.example/api/public/v1/token',
        response_types_supported: [],
        grant_types_supported: ['refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        token_endpoint_auth_methods_supported: ['none'],
      },
    },
  },
  schemas: {
    AuthorizationServer: describedObject(row.answer, 'The metadata of RFC 8414.', {
      issuer: 'The origin of the page.',
      device_authorization_endpoint: 'Where sign-ins on devices begin.',
      token_endpoint: 'Where games get player tokens.',
      response_types_supported: 'None: there is no authorization endpoint.',
      grant_types_supported: 'The values of `grant_type`.',
      token_endpoint_auth_methods_supported: 'Games have no secret.',
    }),
  },
})
