import { createPublicKey } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import { type AnyDocumentation, example } from '../../lib/contract/documentation.ts'
import type { Route } from '../../lib/contract/route.ts'
import { structuredMetadata } from '../../lib/domain/nft/structured-metadata.ts'
import { openApi } from '../../openapi/openapi-document.ts'
import { documentationOf, operationDocumentation } from '../../openapi/operations.ts'
import { capturedLog } from '../support/memory/http-chain.ts'
import { answer, credentials, type Sent } from './sent-request.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests look into any part of the document
const document: any = openApi()

const all = Object.entries<Route>(routes).map(([name, route]) => {
  const id = name as OperationId
  const documentation = documentationOf(id)
  const described = document.paths[route.paths[0]][route.method.toLowerCase()]
  return { id, route, documentation, described }
})

beforeEach(() => {
  capturedLog()
})

/** Query parameters in the form that the document names: `style: form`, `explode: true`. */
function queryOf({ parameters = {} }: AnyDocumentation): string {
  const query = new URLSearchParams()
  for (const [name, parameter] of Object.entries(parameters)) {
    for (const item of [parameter.example].flat()) query.append(name, String(item))
  }
  return query.toString()
}

describe('examples of requests', () => {
  const withBody = all.flatMap(({ id, documentation }) =>
    Object.entries(documentation.requests ?? {}).map(([name, { value }]) => ({ id, name, value })),
  )

  test.each(withBody)('$id accepts the body "$name"', async ({ id, value }) => {
    const run = vi.fn(() => ({ data: null }))
    expect((await answer(id, { body: value }, run)).status).toBe(200)
    expect(run).toHaveBeenCalledTimes(1)
  })

  const withQuery = all.filter(({ route }) => route.query)

  test.each(withQuery)('$id accepts its parameters', async ({ id, route, documentation }) => {
    const seen = vi.fn((_: { query?: unknown }) => ({ data: null }))
    const [request] = Object.values(documentation.requests ?? {})
    const sent = { query: queryOf(documentation), body: request?.value }
    expect((await answer(id, sent, seen)).status).toBe(200)
    const { query } = seen.mock.calls[0]?.[0] ?? {}
    expect(Object.keys(query as object)).toEqual(Object.keys(route.query?.entries ?? {}))
  })

  const refusing = all.filter(({ documentation }) => documentation.invalidRequest)

  test.each(refusing)(
    'D2: $id rejects the request as its example of invalid_request shows',
    async (row) => {
      const { sent } = row.documentation.invalidRequest ?? {}
      const { 'x-player-token': _, ...headers } = credentials
      const { status, body } = await answer(row.id, { ...(sent as Sent), headers })
      const type = row.route.oauth ? 'application/json' : 'application/problem+json'
      const { examples } = row.described.responses[400].content[type]
      expect(status).toBe(400)
      expect(body).toEqual(examples.invalid_request.value)
    },
  )
})

describe('examples of responses', () => {
  const answers = all.flatMap((row) =>
    Object.entries(row.documentation.answers).map(([name, shown]) => ({ ...row, name, ...shown })),
  )

  test.each(answers)('$id: "$name" is the response of the service', async (row) => {
    const { id, route, name, value: data, nextCursor, documentation, described } = row
    expect(v.safeParse(route.answer, data).issues).toBeUndefined()
    const [request] = Object.values(documentation.requests ?? {})
    const sent = { query: queryOf(documentation), body: request?.value }
    const { content, headers } = described.responses[200]
    const shown = content['application/json'].examples[name].value
    const freshness = route.hasAge && { asOf: Date.parse(shown.asOf) }
    const given = await answer(id, sent, () => ({ data, nextCursor, ...freshness }))
    expect(given.body).toEqual(shown)
    const [, header = ''] = headers['Cache-Control'].$ref.match(/([^/]+)$/)
    expect(given.headers['cache-control']).toBe(document.components.headers[header].schema.const)
  })

  test('4.8 and 4.9 show the same NFTs', () => {
    const gateways = { ipfs: 'https://ipfs.io/ipfs/', arweave: 'https://arweave.net/' }
    const raw = operationDocumentation.getRawMetadata.answers['whole']?.value
    const structured = raw?.map(({ rawMetadata, ...entry }) => ({
      ...entry,
      ...structuredMetadata(JSON.stringify(rawMetadata), entry.tokenId, gateways),
    }))
    const shown = operationDocumentation.getStructuredMetadata.answers['whole']?.value
    expect(shown).toEqual(structured)
  })

  test('D32: the keys of the key set are named by their thumbprints (RFC 7638)', async () => {
    const keys = operationDocumentation.getKeySet.answers['keys']?.value.keys as JWK[]
    const thumbprints = await Promise.all(keys.map((key) => calculateJwkThumbprint(key)))
    expect(keys.map(({ kid }) => kid)).toEqual(thumbprints)
  })

  test('D32: the public key is that of the user JWTs in the key set', () => {
    const key = createPublicKey({ key: example.userJwtKey, format: 'jwk' })
    expect(key.export({ format: 'der', type: 'spki' }).toString('base64')).toBe(example.publicKey)
  })
})
