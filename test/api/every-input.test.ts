import { describe, expect, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import { changedRequests } from '../support/accepted-requests.ts'
import { rowOf } from '../support/operations.ts'
import type { Received } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

const { sendChanged, sendRefused } = changedRequests(sharedService())
const table = Object.entries(routes) as [OperationId, Route][]

const requiredOf = ({ body }: Route) =>
  Object.entries(body?.entries ?? {}).filter(
    ([, schema]) => schema.type !== 'optional' && schema.type !== 'exact_optional',
  )

/** The fields that a body lacks, as a problem names them. */
const lackingOf = (route: Route) =>
  requiredOf(route).map(([path]) => ({ in: 'body', path, message: 'is required' }))

describe('every route with a body of JSON', () => {
  const rows = table.filter(([, { body, oauth }]) => body && !oauth)

  test.each(rows)('D3: %s with malformed JSON is 400 invalid_json', async (id) => {
    // An empty body is the same as {} where the body is optional.
    const empty = rowOf(id).isBodyOptional ? [] : ['']
    for (const body of [...empty, '{', "{'name': 1}", '{"name": NaN}', '\u0000']) {
      const answer = await sendRefused(id, (accepted) => ({ ...accepted, body }))
      expectProblem(answer, 'invalid_json')
    }
  })

  test.each(rows)('D3: %s with JSON that is not UTF-8 is 400 invalid_json', async (id) => {
    const body = new Uint8Array([0x22, 0xff, 0xfe, 0x22])
    const answer = await sendRefused(id, (accepted) => ({ ...accepted, body }))
    expectProblem(answer, 'invalid_json')
  })

  test.each(rows)('D4: %s with a body that is not an object is 400', async (id) => {
    for (const body of ['[]', 'null', '"text"', '1', 'true']) {
      const answer = await sendRefused(id, (accepted) => ({ ...accepted, body }))
      expectProblem(answer, 'invalid_request')
    }
  })

  test.each(rows)(
    'D4: %s ignores unknown fields, and reads the body as JSON unless its content type names another format',
    async (id) => {
      const withType = async (type: string, send = sendChanged) =>
        await send(id, (accepted) => ({
          ...accepted,
          // Bytes, because fetch adds a content type to text without one.
          body: new TextEncoder().encode(
            JSON.stringify({
              ...(accepted.body as object),
              nickname: 'x',
              __proto__x: 1,
              constructor: null,
            }),
          ),
          headers: { 'content-type': type },
        }))
      for (const type of ['', 'Application/JSON; charset=utf-8']) {
        expect((await withType(type)).status).toBe(200)
      }
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
        expectProblem(await withType(type, sendRefused), 'unsupported_media_type')
      }
    },
  )

  test.each(rows)(
    'D16: %s with a body over 1 MiB is 413; a body of exactly 1 MiB is not',
    async (id) => {
      const padded = async (bytes: number, send = sendChanged) =>
        await send(id, (accepted) => ({
          ...accepted,
          body: JSON.stringify(accepted.body).padEnd(bytes, ' '),
        }))
      expectProblem(await padded(1_048_577, sendRefused), 'payload_too_large')
      expect((await padded(1_048_576)).status).toBe(200)
    },
  )

  const withRequired = rows.filter(([, route]) => requiredOf(route).length > 0)

  test.each(withRequired)('D2: %s names every missing field in one response', async (id, route) => {
    const answer = await sendRefused(id, (accepted) => ({ ...accepted, body: {} }))
    expect(expectProblem(answer, 'invalid_request')).toEqual(lackingOf(route))
  })
})

describe('every route with a form', () => {
  const rows = table.filter(([, { oauth }]) => oauth)

  test.each(rows)('D2: %s names every missing field in one response', async (id, route) => {
    const answer = await sendRefused(id, (accepted) => ({ ...accepted, form: {} }))
    expect(expectProblem(answer, 'invalid_request', route)).toEqual(lackingOf(route))
  })

  const sendText = (id: OperationId, body: string | Uint8Array) =>
    sendRefused(id, ({ form: _, ...accepted }) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return { ...accepted, body, headers }
    })

  test.each(rows)('D112: %s answers no text as a success, and none with 5xx', async (id, route) => {
    for (const body of ['{', '[]', '\u0000', 'a=b', '%%%=%', 'x'.repeat(100_000)]) {
      expectProblem(await sendText(id, body), 'invalid_request', route)
    }
  })

  test.each(rows)(
    'D3: %s with a form that is not UTF-8 is 400 invalid_request',
    async (id, route) => {
      const answer = await sendText(id, new Uint8Array([0xff, 0xfe]))
      expectProblem(answer, 'invalid_request', route)
    },
  )

  test.each(rows)('D112: %s with another content type is 415', async (id, route) => {
    const answer = await sendRefused(id, (accepted) => ({
      ...accepted,
      headers: { 'content-type': 'application/json' },
    }))
    expectProblem(answer, 'unsupported_media_type', route)
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
