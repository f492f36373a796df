import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { writeJson } from '../../../lib/json/verbatim-json.ts'
import { sampleWorld } from '../../samples/sample-world.ts'
import { letLanternTravel } from '../../samples/travelling-lantern.ts'
import { createIndexer, errorResponse, parsedBody } from '../indexer.ts'

/** The secret first segment of all paths. */
const secretPath = process.env['INDEXER_PATH'] ?? ''

const world = sampleWorld()
const travel = letLanternTravel(world, Number(process.env['STARTED_AT']))
const indexer = createIndexer({
  world,
  now() {
    const now = Date.now()
    travel(now)
    return now
  },
})

/**
 * The sample indexer behind a function URL, under `/<INDEXER_PATH>`. Every container has the same world: nothing but the
 * clock changes it, from STARTED_AT on, which is in milliseconds since 1970.
 */
export async function handler({
  rawPath,
  rawQueryString,
  requestContext,
  body = '',
  isBase64Encoded,
}: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  if (secretPath === '' || !rawPath.startsWith(`/${secretPath}/`)) return { statusCode: 404 }
  const text = () => (isBase64Encoded ? Buffer.from(body, 'base64').toString() : body)
  const path = rawPath.slice(secretPath.length + 1)
  const answer = await indexer
    .respond({
      method: requestContext.http.method,
      target: rawQueryString ? `${path}?${rawQueryString}` : path,
      body: async () => parsedBody(text()),
    })
    .catch(errorResponse)
  return {
    statusCode: answer.status,
    headers: { 'content-type': 'application/json' },
    body: writeJson(answer.body),
  }
}
