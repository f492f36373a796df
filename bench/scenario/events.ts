import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/** The credentials and input of a request. */
export interface Sent {
  apiKey?: string | undefined
  userJwt?: string | undefined
  /** The session of a user on the page of the deployment. */
  session?: string | undefined
  /** The values of the parameters of the path. */
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** The fields of a form in the place of `body`. */
  form?: Record<string, string>
}

/** The event of a request (payload format 2.0), with the members that ours or the naive peer reads. */
export function eventOf({ query = {}, ...sent }: Sent): APIGatewayProxyEventV2 {
  const { apiKey, userJwt, session, path, body, form } = sent
  const bearer = userJwt ?? session
  const text = form ? new URLSearchParams(form).toString() : JSON.stringify(body)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: '/',
    rawQueryString: new URLSearchParams(query).toString(),
    queryStringParameters: query,
    ...(path && { pathParameters: path }),
    headers: {
      ...(apiKey && { 'x-api-key': apiKey }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(text !== undefined && { 'content-type': type }),
    },
    requestContext: {
      requestId: 'bench',
      http: { sourceIp: '127.0.0.1' },
    } as APIGatewayProxyEventV2['requestContext'],
    isBase64Encoded: false,
    ...(text !== undefined && { body: text }),
  }
}
