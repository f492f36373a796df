import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/**
 * The event with header names in lower case. API Gateway writes them so, but other hosts, such as
 * `sam local start-api`, keep them as the client sent them. The values of names that differ only in case
 * are joined with a comma, as API Gateway joins repeated headers, so that none of them is dropped.
 */
export function withLowerCaseHeaderNames(event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  if (Object.keys(event.headers).every((name) => name === name.toLowerCase())) return event
  const headers: Record<string, string> = Object.create(null)
  for (const [sent, value = ''] of Object.entries(event.headers)) {
    const name = sent.toLowerCase()
    headers[name] = name in headers ? `${headers[name]},${value}` : value
  }
  return { ...event, headers }
}
