import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import { acceptedRequest, callName, changedRequests } from '../support/accepted-requests.ts'
import { rowOf } from '../support/operations.ts'
import { expectProblem, pathsOf } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

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

  test.each(table)('D6: %s can be called from a web page of any origin', async (id, route) => {
    const headers = { origin: 'https://game.example' }
    const { headers: answered } = await sendRefused(id, (sent) => ({ ...sent, headers }))
    expect(answered.get('access-control-allow-origin')).toBe('*')
    expect(answered.get('access-control-expose-headers')?.toLowerCase()).toBe(
      'retry-after,www-authenticate,apigw-requestid',
    )
    const preflight = await service.call(`OPTIONS ${callName(id).split(' ')[1]}`, {
      headers: {
        ...headers,
        'access-control-request-method': route.method,
        'access-control-request-headers': 'content-type,x-api-key,authorization,x-player-token',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain(route.method)
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(',')).toEqual(
      ['content-type', 'x-api-key', 'authorization', 'x-player-token', 'cache-control'],
    )
    expect(preflight.headers.has('access-control-allow-credentials')).toBe(false)
  })
})

describe('every route with auth PRODUCT', () => {
  const rows = rowsWith(({ auth }) => auth === 'PRODUCT')

  test.each(rows)('D3: %s without an API key is 401 missing_api_key', async (id) => {
    const answer = await sendRefused(id, ({ apiKey: _, ...rest }) => rest)
    expectProblem(answer, 'missing_api_key')
    expect(answer.headers.get('www-authenticate')).toBe('ApiKey')
  })

  test.each(rows)('D3, D9: %s with an invalid API key is 401 invalid_api_key', async (id) => {
    const unknownKey = '7f1c0a1e-9f0b-4c52-8f3e-0a4a1f6d2b11'
    const notVersion4 = '7f1c0a1e-9f0b-1c52-8f3e-0a4a1f6d2b11'
    for (const apiKey of [unknownKey, notVersion4, 'key', `${unknownKey}, ${unknownKey}`]) {
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
      for (const garbage of ['garbage', `${session}x`, '7.AAAA']) {
        const answer = await service.call(callName(id), { session: garbage, ...refused(row) })
        expectProblem(answer, 'invalid_session')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      }
    },
  )

  const needing = rowsWith((route) => route.auth === 'SESSION' && !route.isSessionOptional)

  test.each(needing)('D3, D111: %s without a session is 401 missing_session', async (id, row) => {
    for (const headers of [{}, { authorization: '' }, { authorization: 'Basic bmVvOnRyaW4=' }]) {
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

  test.each(rows)('D23: %s accepts the player token in the header X-Player-Token', async (id) => {
    const { status } = await sendChanged(id, ({ playerToken = '', ...rest }) => ({
      ...rest,
      headers: { 'x-player-token': playerToken },
    }))
    expect(status).toBe(200)
  })

  test.each(rows)('D23: %s with another player token in the header is 400', async (id) => {
    const answer = await sendRefused(id, (accepted) => ({
      ...accepted,
      headers: { 'x-player-token': 'another' },
    }))
    expect(pathsOf(expectProblem(answer, 'invalid_request'))).toEqual(['playerToken'])
  })

  test.each(rows)('D4: %s with a repeated player token is 400', async (id) => {
    const answer = await sendRefused(id, ({ playerToken = '', ...rest }) => ({
      ...rest,
      query: { ...rest.query, playerToken: [playerToken, playerToken] },
    }))
    expect(pathsOf(expectProblem(answer, 'invalid_request'))).toEqual(['playerToken'])
  })

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
