import { describe, expect, test } from 'vitest'
import document from '../../../docs/openapi.json' with { type: 'json' }
import { routes } from '../../../functions/operations.ts'
import type { Route } from '../../../lib/contract/route.ts'
import type { List } from '../src/index.ts'
import { clientOf, errorOf } from './scripted-server.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  example: string | number | string[]
}

type Content = Record<string, { examples: Examples }>

type Examples = Record<string, { value: Record<string, unknown> }>

interface Described {
  operationId: string
  security: Record<string, unknown>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Content }
  responses: { 200: { content: Content } }
}

const named: Record<string, unknown> = document.components.parameters

/** The first example of a request or a response. */
const firstOf = (content: Content = {}) =>
  Object.values(Object.values(content)[0]?.examples ?? {})[0]?.value

/** Each operation of the document, with its first examples. */
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, Described>).map(([method, operation]) => {
    const { operationId: id, security, parameters = [], requestBody, responses } = operation
    const all = parameters.map((parameter) =>
      '$ref' in parameter ? named[parameter.$ref.split('/').at(-1) ?? ''] : parameter,
    ) as Parameter[]
    const examplesIn = (place: string) =>
      Object.fromEntries(
        all.filter((each) => each.in === place).map((each) => [each.name, each.example]),
      )
    return {
      ...{ id, path, method: method.toUpperCase() },
      schemes: security.flatMap((each) => Object.keys(each)),
      inPath: examplesIn('path'),
      inQuery: examplesIn('query'),
      hasAge: all.some((each) => each.name === 'Cache-Control'),
      body: firstOf(requestBody?.content),
      isForm: 'application/x-www-form-urlencoded' in (requestBody?.content ?? {}),
      response: firstOf(responses[200].content) ?? {},
    }
  }),
)

const secrets = {
  ...{ apiKey: 'the-key', playerToken: 'the-token', userJwt: 'the-jwt' },
  session: 'the-session',
}
const headers: Record<string, [name: string, value: string]> = {
  ApiKey: ['x-api-key', secrets.apiKey],
  PlayerTokenHeader: ['x-player-token', secrets.playerToken],
  UserJwt: ['authorization', `Bearer ${secrets.userJwt}`],
  Session: ['authorization', `Bearer ${secrets.session}`],
}

function textOf(body: Record<string, unknown> | undefined, isForm: boolean): string {
  if (!body) return ''
  return isForm ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body)
}

type Method = (...params: object[]) => Promise<unknown> & Partial<List<unknown>>

/** Calls a method with the examples of the document, and returns its data. */
function call(client: object, { id, inPath, inQuery, body }: (typeof described)[number]) {
  const params = { ...inPath, ...inQuery, ...body }
  const method = (client as Record<string, Method>)[id] as Method
  const called = method.apply(client, Object.keys(params).length > 0 ? [params] : [])
  return called.page ? called.page().then(({ data }) => data) : called
}

describe.concurrent.each(described)('$id', (operation) => {
  const { id, method, path, inPath, inQuery, body, isForm, response, schemes, hasAge } = operation

  test('sends what the document describes, and returns the data of the response', async () => {
    const { client, requests } = await clientOf([{ json: response }], {
      ...secrets,
      maxAgeSeconds: 60,
    })
    const { amount: _, ...data } = (response['data'] ?? response) as Record<string, unknown>
    const expected = Array.isArray(response['data']) ? response['data'] : data
    const returned = await call(client, operation)
    expect(returned).toMatchObject(expected)
    expect(returned).not.toHaveProperty('amount')
    expect(requests).toHaveLength(1)
    const [sent] = requests
    expect(sent?.method).toBe(method)
    expect(sent?.path).toBe(path.replace(/\{(\w+)\}/g, (_, name) => String(inPath[name])))
    const query = Object.entries(inQuery).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, String(each)]),
    )
    expect([...(sent?.query ?? [])]).toEqual(query)
    expect(sent?.body).toBe(textOf(body, isForm))
    for (const name of new Set(Object.values(headers).map(([header]) => header))) {
      const [value] = schemes.flatMap((scheme) =>
        headers[scheme]?.[0] === name ? [headers[scheme][1]] : [],
      )
      expect(sent?.headers[name]).toBe(value)
    }
    const type = isForm ? /^application\/x-www-form-urlencoded/ : /^application\/json$/
    expect(sent?.headers['content-type'] ?? '').toMatch(body ? type : /^(application\/json)?$/)
    expect(sent?.headers['cache-control']).toBe(hasAge ? 'max-age=60' : undefined)
  })

  test('is sent again after a lost response, unless a second request makes something more', async () => {
    const { client, requests } = await clientOf(['close'])
    const error = await errorOf(call(client, operation))
    const rows = Object.values<Route>(routes)
    const { effect } = rows.find((row) => row.method === method && row.paths.includes(path)) ?? {}
    expect(requests).toHaveLength(effect === 'once' ? 1 : 2)
    expect(error).toMatchObject({
      operation: id,
      mayHaveTakenEffect: method !== 'GET' || effect !== undefined,
    })
  })
})
