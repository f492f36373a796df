import fc from 'fast-check'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import { cursor as sealedCursor } from '../../lib/contract/fields/cursors.ts'
import { problemsOf, type Route } from '../../lib/contract/route.ts'
import { startLambdaHost } from '../../local/lambda/lambda-host.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import {
  cursorSchemaOf,
  firstPage,
  identities,
  withCursor,
  withPathParameters,
} from '../support/requests/generated-cursors.ts'
import { forRequests } from '../support/requests/generated-requests.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem, expectWellFormedProblem, pathsOf } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()

/** .ci/soak sends 10,000 to each operation, which takes minutes. */
const generated = Number(process.env['GENERATED_REQUESTS'] ?? 120)

// Calls the functions directly, because texts of 8 KB would not fit into URLs as API Gateway accepts them.
const host = startLambdaHost({ functions: inject('functions'), log: () => undefined })
afterAll(() => host.close())

/** The first pages of every operation with a cursor, of one product and player, and of others. */
const pages = new Map(
  await Promise.all(
    withCursor.map(async (id) => {
      const [own, other] = await Promise.all([firstPage(service, id), firstPage(service, id)])
      return [id, { ...own, other: other.cursor }] as const
    }),
  ),
)
const pageOf = (id: OperationId) => pages.get(id) as NonNullable<ReturnType<typeof pages.get>>
const cursors = [...pages.values()].flatMap(({ cursor, other }) => [cursor, other])

const callWith = async (id: OperationId, cursor: string): Promise<Received> => {
  const { sent } = pageOf(id)
  return await invokeFunction(host, id, { ...sent, query: { ...sent.query, cursor } })
}

const expectForeign = (answer: Received): void =>
  expect(pathsOf(expectProblem(answer, 'invalid_request'))).toEqual(['cursor'])

describe.each(withCursor)('the cursor of %s', (id) => {
  test('returns the next page', async () => {
    expect((await callWith(id, pageOf(id).cursor)).status).toBe(200)
  })

  test('D18, D25, D77: of another operation, product or player is 400, unless it is a position in the same order', async () => {
    const schema = cursorSchemaOf(id)
    for (const [other, page] of pages) {
      const isSameOrder = cursorSchemaOf(other) === schema && schema !== sealedCursor
      const isEvent = id === 'getEvents'
      const foreign = other === id ? [page.other] : [page.cursor, page.other]
      for (const cursor of foreign) {
        const answer = await callWith(id, cursor)
        if (isSameOrder && !isEvent) expect(answer.status, answer.text).toBe(200)
        else expectForeign(answer)
      }
    }
  })

  test(`of ${generated} generated texts is 200 or 400, never 500`, {
    timeout: 900_000,
  }, async () => {
    const { sent, cursor: own } = pageOf(id)
    const requests = identities(cursors).map(
      (cursor): Sent => ({
        ...sent,
        query: { ...sent.query, cursor },
      }),
    )
    await forRequests(requests, generated, async (request) => {
      const answer = await invokeFunction(host, id, request)
      // 10,000 requests can take longer than the cursor is valid.
      if (request.query?.['cursor'] === own && answer.json.code === 'cursor_expired') return
      if (answer.status !== 200) expectForeign(answer)
    })
  })
})

test.each(withPathParameters)(
  `%s with ${generated} generated path parameters is a problem of its row or a success, never 500`,
  { timeout: 900_000 },
  async (id) => {
    const { path = {}, ...sent } = await acceptedRequest(service, id)
    const other = (await acceptedRequest(service, id)).path ?? {}
    const texts = identities([...Object.values({ ...path, ...other }), ...cursors])
    const names = Object.keys(path)
    const known = problemsOf(routes[id] as Route).filter((code) => code !== 'internal_error')
    const requests = fc.tuple(...names.map(() => texts)).map(
      (values): Sent => ({
        ...sent,
        path: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])),
      }),
    )
    await forRequests(requests, generated, async (request) => {
      const answer = await invokeFunction(host, id, request)
      if (answer.status === 200) return
      expectWellFormedProblem(answer)
      if (!known.includes(answer.json.code)) throw new Error(answer.text)
    })
  },
)
