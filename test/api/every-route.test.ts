import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import { acceptedRequest, callName, changedRequests } from '../support/accepted-requests.ts'
import { rowOf } from '../support/operations.ts'
import type { Received } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { registration, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { sendChanged, sendRefused } = changedRequests(service)
const table = Object.entries(routes) as [OperationId, Route][]
const rowsWith = (holds: (route: Route) => unknown) => table.filter(([, route]) => holds(route))

describe('every route', () => {
  test.each(table)(
    'D1, D4, D5: %s returns a success as the route table describes it, and ignores unknown parameters',
    async (id, route) => {
      for (const path of route.paths) {
        const { query, ...accepted } = await acceptedRequest(service, id)
        const sent = { ...accepted, query: { ...query, utm_source: 'launcher', 'tokens[]': '1' } }
        const { status, headers, json, text } = await service.call(callName(id, path), sent)
        expect(status, text).toBe(200)
        expect(headers.get('content-type')).toBe('application/json')
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(headers.get('cache-control')).toBe(
          route.maxAgeSeconds ? `public, max-age=${route.maxAgeSeconds}` : 'no-store',
        )
        if (route.form !== 'bare') {
          const names = ['data', 'success', ...(route.hasAge ? ['asOf'] : [])]
          expect(Object.keys(json)).toEqual(names)
          expect(json.success).toBe(true)
        }
        const data = route.form === 'bare' ? json : json.data
        expect(v.safeParse(route.answer, data).issues).toBeUndefined()
      }
    },
  )
})

describe('every route with auth PRODUCT', () => {
  const rows = rowsWith(({ auth }) => auth === 'PRODUCT')

  test.each(rows)('D3, D9: %s with an invalid API key is 401 invalid_api_key', async (id) => {
    for (const apiKey of ['7f1c0a1e-9f0b-4c52-8f3e-0a4a1f6d2b11', 'key']) {
      expectProblem(await service.call(callName(id), { apiKey }), 'invalid_api_key')
    }
  })

  test('D9: an API key is accepted in upper-case hexadecimal', async () => {
    const { status } = await sendChanged('getProduct', ({ apiKey = '' }) => ({
      apiKey: apiKey.toUpperCase(),
    }))
    expect(status).toBe(200)
  })

  test.each(rows)('D3: %s checks the API key before any other input', async (id) => {
    const answer = await service.call(callName(id), {
      query: { playerToken: 'nonsense', chains: 'nowhere', limit: '0', contractAddress: 'x' },
      ...(rowOf(id).method === 'POST' && { body: '{' }),
    })
    expectProblem(answer, 'missing_api_key')
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey')
  })
})

describe('every route with auth USER', () => {
  const rows = rowsWith(({ auth }) => auth === 'USER')

  test.each(rows)('D3: %s without a user JWT is 401 missing_user_token', async (id) => {
    for (const headers of [{}, { authorization: '' }, { authorization: 'Basic bmVvOnRyaW4=' }]) {
      const answer = await service.call(callName(id), { headers })
      expectProblem(answer, 'missing_user_token')
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  test.each(rows)('D3: %s with a malformed user JWT is 401 invalid_user_token', async (id) => {
    for (const userJwt of ['nonsense', 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.']) {
      const answer = await service.call(callName(id), { userJwt })
      expectProblem(answer, 'invalid_user_token')
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
  })
})

describe('every route with auth SESSION', () => {
  const rows = rowsWith(({ auth }) => auth === 'SESSION')
  /** What each route would refuse, if the session did not come first. */
  const refused = ({ body }: Route) => (body ? { body: '{' } : {})

  test.each(rows)(
    'D3, D111: %s with what is no session is 401 invalid_session',
    async (id, row) => {
      const { session = '' } = await acceptedRequest(service, 'getSignedInUser')
      for (const garbage of ['garbage', `${session}x`]) {
        const answer = await service.call(callName(id), { session: garbage, ...refused(row) })
        expectProblem(answer, 'invalid_session')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      }
    },
  )

  const needing = rowsWith((route) => route.auth === 'SESSION' && !route.isSessionOptional)

  test.each(needing)('D3, D111: %s without a session is 401 missing_session', async (id, row) => {
    for (const headers of [{}, { authorization: 'Basic bmVvOnRyaW4=' }]) {
      const answer = await service.call(callName(id), { headers, ...refused(row) })
      expectProblem(answer, 'missing_session')
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })
})

describe('every route that takes a player token', () => {
  const rows = rowsWith(({ player }) => player)

  test.each(rows)('D23: %s without a player token is 400, naming the parameter', async (id) => {
    const answer = await sendRefused(id, ({ playerToken: _, ...rest }) => rest)
    expect(expectProblem(answer, 'invalid_request')).toEqual([
      {
        in: 'query',
        path: 'playerToken',
        message:
          'is required: send the player token in the header X-Player-Token or in the parameter playerToken',
      },
    ])
  })

  test.each(rows)(
    'D23, D142: %s accepts the player token in the header X-Player-Token, and as a bearer token',
    async (id) => {
      for (const [header, scheme] of [
        ['x-player-token', ''],
        ['authorization', 'Bearer '],
      ] as const) {
        const { status } = await sendChanged(id, ({ playerToken = '', ...rest }) => ({
          ...rest,
          headers: { [header]: `${scheme}${playerToken}` },
        }))
        expect(status).toBe(200)
      }
    },
  )

  test.each(rows)('D3: %s with an invalid player token is 401 before other input', async (id) => {
    const answer = await sendRefused(id, (accepted) => ({
      ...accepted,
      query: { chains: 'nowhere', limit: '0' },
      playerToken: 'nonsense',
    }))
    expectProblem(answer, 'invalid_player_token')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })

  test.each(rows)('D23: %s rejects a user JWT in the place of a player token', async (id) => {
    const playerToken = await service.userJwt()
    const answer = await sendRefused(id, (accepted) => ({ ...accepted, playerToken }))
    expectProblem(answer, 'invalid_player_token')
    expect(answer.json.detail).toBe(
      'This is a user JWT or another JWT, not a player token; create a player token with GET /api/public/v1/player/token.',
    )
  })
})

const requiredOf = ({ body }: Route) =>
  Object.entries(body?.entries ?? {}).filter(
    ([, schema]) => schema.type !== 'optional' && schema.type !== 'exact_optional',
  )

/** The fields that a body lacks, as a problem names them. */
const lackingOf = (route: Route) =>
  requiredOf(route).map(([path]) => ({ in: 'body', path, message: 'is required' }))

describe('every route with a body of JSON', () => {
  const rows = rowsWith(({ body, oauth }) => body && !oauth)

  test.each(rows)('D3: %s with malformed JSON is 400 invalid_json', async (id) => {
    const answer = await sendRefused(id, (accepted) => ({ ...accepted, body: '{' }))
    expectProblem(answer, 'invalid_json')
  })

  const withRequired = rows.filter(([, route]) => requiredOf(route).length > 0)

  test.each(withRequired)('D2: %s names every missing field in one response', async (id, route) => {
    const answer = await sendRefused(id, (accepted) => ({ ...accepted, body: {} }))
    expect(expectProblem(answer, 'invalid_request')).toEqual(lackingOf(route))
  })
})

describe('every route with a form', () => {
  const rows = rowsWith(({ oauth }) => oauth)

  test.each(rows)('D2: %s names every missing field in one response', async (id, route) => {
    const answer = await sendRefused(id, (accepted) => ({ ...accepted, form: {} }))
    expect(expectProblem(answer, 'invalid_request', route)).toEqual(lackingOf(route))
  })

  test.each(rows)(
    'D3: %s with a form that is not UTF-8 is 400 invalid_request',
    async (id, route) => {
      const answer = await sendRefused(id, ({ form: _, ...accepted }) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        return { ...accepted, body: new Uint8Array([0xff, 0xfe]), headers }
      })
      expectProblem(answer, 'invalid_request', route)
    },
  )
})

describe('a body of JSON', () => {
  const send = (body: string | Uint8Array, type: string) =>
    sendChanged('registerProduct', () => ({ body, headers: { 'content-type': type } }))
  const body = JSON.stringify({
    ...registration(),
    nickname: 'x',
    __proto__x: 1,
    constructor: null,
  })

  test('D3: registerProduct with JSON that is not UTF-8 is 400 invalid_json', async () => {
    const bytes = new Uint8Array([0x22, 0xff, 0xfe, 0x22])
    expectProblem(await send(bytes, 'application/json'), 'invalid_json')
  })

  test('D4: can have unknown fields, and is JSON unless its content type names another format', async () => {
    // Bytes, because fetch adds a content type to text without one.
    const bytes = new TextEncoder().encode(body)
    for (const type of ['', 'Application/JSON; charset=utf-8']) {
      expect((await send(bytes, type)).status).toBe(200)
    }
    expectProblem(await send(bytes, 'text/plain'), 'unsupported_media_type')
  })

  test('D16: of exactly 1 MiB is read', async () => {
    expect((await send(body.padEnd(1_048_576, ' '), 'application/json')).status).toBe(200)
  })
})

/** The fields of a part of the input, each with the operation that has it. The fields of a form are texts. */
const fieldsOf = (part: 'body' | 'query') =>
  table.flatMap(([id, route]) =>
    Object.keys((route.oauth ? {} : route[part]?.entries) ?? {}).map((name) => [id, name] as const),
  )

/** Expects faults of one field, or of its items, and of no other. */
const expectFaultsOf = (answer: Received, field: object) => {
  const faults = expectProblem(answer, 'invalid_request')
  const named = faults.map(({ in: part, path }) => ({ in: part, name: path.split('.')[0] }))
  expect(named).toEqual(named.map(() => field))
}

describe('every field', () => {
  test.each(fieldsOf('body'))('D2: %s with an object as %s is 400, naming it', async (id, name) => {
    const answer = await sendRefused(id, ({ body, ...accepted }) => ({
      ...accepted,
      body: { ...(body as object), [name]: { is: 'an object' } },
    }))
    expectFaultsOf(answer, { in: 'body', name })
  })

  // A parameter with one value is refused because of the second, and a list because of its items.
  test.each(fieldsOf('query'))('D2: %s with a wrong %s is 400, naming it', async (id, name) => {
    const answer = await sendRefused(id, ({ query, ...accepted }) => ({
      ...accepted,
      query: { ...query, [name]: ['not an item', 'not an item'] },
    }))
    expectFaultsOf(answer, { in: 'query', name })
  })
})
