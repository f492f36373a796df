import { samples } from '@player-nfts/local/samples'
import fc from 'fast-check'
import { describe, inject, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import { problemsOf } from '../../lib/contract/route.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectWellFormedProblem } from '../support/requests/problem.ts'
import { startContainers } from '../support/services/containers.ts'
import { sharedService } from '../support/services/service.ts'
import { anyText, seed } from '../support/vitest/seeded.ts'

/** Cursors of lists, as anybody can write them: after an NFT, after a contract, after an event, and almost. */
const positions = [
  `POLYGON/${samples.collections.gear.address}/7`,
  `BSC/${samples.collections.gear.address}`,
  `POLYGON/${samples.collections.gear.address}/${2n ** 256n}`,
  '019b789d-7640-7c1e-8a57-2f8d6f0b7c11',
  'ffffffff-ffff-7fff-bfff-ffffffffffff',
].map((text) => Buffer.from(text).toString('base64url'))

/** Texts for any place in a request: valid, almost valid, and hostile ones. */
const texts = fc.oneof(
  fc.constantFrom(
    samples.collections.gear.address,
    samples.collections.vessels.address.toUpperCase().replace('0X', '0x'),
    '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B',
    '0xab5801a7D398351b8bE11C439e05C5B3259aeC9B',
    'POLYGON',
    'BSC',
    'MUMBAI',
    'polygon',
    'POLYGON,BSC',
    'a description that is long enough',
    'a@b',
    'www.example.com',
    'javascript:alert(1)',
    '1',
    '0x1F',
    '-1',
    '1e3',
    `${2n ** 256n}`,
    '1,2,3',
    '__proto__',
    'constructor',
    ...positions,
    '\ud800',
    '\u0000',
    ' ',
    '',
  ),
  fc.constantFrom('x', '9', ',', 'é').map((character) => character.repeat(8_192)),
  anyText(),
)

/** Elements of a list of tokens: valid ones, which reach the allowlist only without a malformed one, and others. */
const validElements = ['*', '1', '0x1F', '1..3', '0x2..0x1F', '7..7', `0..${2n ** 256n - 1n}`]
const elements = [...validElements, '5..1', '1..', '..', '*..5', `0..${2n ** 256n}`, '1..3,9..12']
const tokenLists = fc.oneof(
  fc.array(fc.constantFrom(...validElements), { minLength: 1, maxLength: 5 }),
  fc.array(fc.constantFrom(...elements), { maxLength: 5 }),
)

const numbers = fc.constantFrom('0', '1', '7', '1000', '10000', '10001', '-1', '1.5', '1e2', 'NaN')

const json: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: texts },
  { weight: 2, arbitrary: fc.array(texts, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constant(null) },
  // Too long for a URL of API Gateway, but not for a body.
  { weight: 1, arbitrary: fc.string({ minLength: 1990, maxLength: 2060 }) },
)

/** The number of simultaneous requests. */
const batchSize = 40

/**
 * Checks this number of generated requests, the same for the same seed. Ends with the first request that fails the
 * check, and prints it.
 */
async function forRequests<Request>(
  request: fc.Arbitrary<Request>,
  count: number,
  check: (sent: Request) => Promise<void>,
): Promise<void> {
  const batch = fc.array(request, { minLength: batchSize, maxLength: batchSize })
  const property = fc.asyncProperty(batch, async (requests) => {
    await Promise.all(
      requests.map(async (sent) => {
        try {
          await check(sent)
        } catch (error) {
          throw new Error(`${(error as Error).message}\nafter ${JSON.stringify(sent)}`)
        }
      }),
    )
  })
  const numRuns = Math.ceil(count / batchSize)
  const { failed, errorInstance } = await fc.check(property, { numRuns, seed, endOnFailure: true })
  // The report of fc.assert has all requests of the batch, of up to 8 KB each.
  if (failed) throw errorInstance ?? new Error('The requests were not all generated.')
}

/** A request for a route, each part of which is accepted, unusual, or missing. */
function generatedRequest(route: Route, accepted: Sent): fc.Arbitrary<Sent> {
  const parts: Record<string, fc.Arbitrary<unknown>> = {
    path: record([...(route.pathParameters ?? [])], accepted.path ?? {}, texts),
    query: query(route, accepted),
    headers: headers(route),
    apiKey: credential(accepted.apiKey),
    userJwt: credential(accepted.userJwt),
    session: credential(accepted.session),
    playerToken: credential(accepted.playerToken),
    ...(route.body &&
      (route.oauth ? { form: form(route, accepted) } : { body: body(route, accepted) })),
  }
  return fc
    .record(parts)
    .map(
      (sent) =>
        Object.fromEntries(Object.entries(sent).filter(([, part]) => part !== undefined)) as Sent,
    )
}

/** The accepted value often enough that requests pass the first checks; header values are ASCII. */
const credential = (accepted: string | undefined) =>
  accepted === undefined
    ? fc.constant(undefined)
    : fc.oneof(
        { weight: 2, arbitrary: fc.constant(accepted) },
        { weight: 1, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.string({ maxLength: 60 }).map((text) => text.trim() || 'x') },
        { weight: 1, arbitrary: fc.constant(`${accepted.slice(0, -3)}AAA`) },
        { weight: 1, arbitrary: fc.constant(accepted.repeat(20)) },
      )

const fieldsOf = (schema: Route['body'], accepted: object = {}) => [
  ...new Set([...Object.keys(schema?.entries ?? {}), ...Object.keys(accepted), '__proto__', 'x']),
]

function query(route: Route, accepted: Sent): fc.Arbitrary<Record<string, string | string[]>> {
  const given: Record<string, unknown> = accepted.query ?? {}
  const value = fc.oneof(texts, numbers, fc.array(texts, { maxLength: 3 }))
  return record(fieldsOf(route.query, given), given, value) as fc.Arbitrary<
    Record<string, string | string[]>
  >
}

function body(route: Route, accepted: Sent): fc.Arbitrary<unknown> {
  const given = accepted.body as Record<string, unknown>
  return fc.oneof(
    { weight: 8, arbitrary: record(fieldsOf(route.body, given), given, json) },
    { weight: 1, arbitrary: anyText(60) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  )
}

const form = (route: Route, { form: given = {} }: Sent): fc.Arbitrary<unknown> =>
  record(fieldsOf(route.body, given), given, texts)

/** Each field with its accepted value, any other value, or missing. */
const record = (fields: string[], given: Record<string, unknown>, value: fc.Arbitrary<unknown>) =>
  fc
    .tuple(
      ...fields.map((field) =>
        fc.oneof(
          { weight: 3, arbitrary: fc.constant(given[field]) },
          { weight: 2, arbitrary: field === 'tokens' ? fc.oneof(value, tokenLists) : value },
          { weight: 1, arbitrary: fc.constant(undefined) },
        ),
      ),
    )
    .map((values) =>
      Object.fromEntries(
        fields
          .map((field, index) => [field, values[index]] as const)
          .filter(([, fieldValue]) => fieldValue !== undefined),
      ),
    )

const headers = (route: Route): fc.Arbitrary<Record<string, string>> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constant({ 'x-player-token': 'another' }) },
    { weight: 1, arbitrary: fc.constant({ 'cache-control': `max-age=${'9'.repeat(8_192)}` }) },
    { weight: 1, arbitrary: fc.constant({ 'x-forwarded-for': ',:::%,[,'.repeat(1_000) }) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('application/json', 'text/plain', ' ; ', '*/*')
        .map((type) => (route.body ? { 'content-type': type } : ({} as Record<string, string>))),
    },
  )

const service = sharedService()
const table = Object.entries(routes) as [OperationId, Route][]

/** .ci/soak sends 10,000 requests to each route, which takes minutes. */
const generatedRequests = Number(process.env['GENERATED_REQUESTS'] ?? 80)

/** A test of a webhook waits for its result, about half a second. */
const countOf = (id: OperationId): number =>
  id === 'testWebhook' ? Math.min(generatedRequests, 300) : generatedRequests

// Calls the functions directly, because this number of requests is too high for sockets.
describe(`every route with ${generatedRequests} generated requests`, () => {
  const host = startContainers(inject('functions'))

  test.each(table)(
    '%s returns a success or a problem that its row in the route table names, never 500',
    async (id, route) => {
      const accepted = await acceptedRequest(service, id)
      const known = problemsOf(route).filter((code) => code !== 'internal_error')
      const requests = generatedRequest(route, accepted)
      await forRequests(requests, countOf(id), async (sent) => {
        const answer = await invokeFunction(host, id, sent)
        if (answer.status === 200) return
        expectWellFormedProblem(answer, route)
        if (!known.includes(answer.json.code)) throw new Error(answer.text)
      })
    },
  )
})
