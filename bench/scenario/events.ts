import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/** The credentials and input of a request. */
export interface Sent {
  apiKey?: string | undefined
  userJwt?: string | undefined
  /** The values of the parameters of the path. */
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** The event of a request (payload format 2.0), with the members that ours or the naive peer reads. */
export function eventOf({ apiKey, userJwt, path, query = {}, body }: Sent): APIGatewayProxyEventV2 {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: '/',
    rawQueryString: new URLSearchParams(query).toString(),
    queryStringParameters: query,
    ...(path && { pathParameters: path }),
    headers: {
      ...(apiKey && { 'x-api-key': apiKey }),
      ...(userJwt && { authorization: `Bearer ${userJwt}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    requestContext: { requestId: 'bench' } as APIGatewayProxyEventV2['requestContext'],
    isBase64Encoded: false,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}
