import { describe, expect, test } from 'vitest'
import type { JsonService } from '../../../lib/adapters/aws/json-protocol.ts'
import cases from './smithy-cases.json' with { type: 'json' }
import { type Clients, clientsOfFunctions } from './subjects.ts'
import { startWire } from './wire.ts'

interface TestCase {
  id: string
  version: string
  headers?: Record<string, string>
  body?: string
  params?: object
  /** The status of a response. */
  code?: number
  /** The name of the error that the response is. */
  error?: string
}

/** What the protocol leaves out. used-shapes.test.ts shows that no function needs it. */
const leftOut: Readonly<Record<string, RegExp>> = {
  'numbers that JSON does not have': /(NaN|Infinity)FloatInputs$/,
  'values that a model adds to what is sent': /^AwsJson10Client(Populates|ErrorCorrects)/,
  'times in requests':
    /^serializes_timestamp|SerializeTimestampUnionValue$|^AwsJson10ClientUsesExplicitlyProvidedMemberValuesOverDefaults$/,
  'times in responses that are texts': /^AwsJson11DateTime|^parses_(iso8601|httpdate)_timestamps$/,
  'maps that keep null': /SparseMaps/,
}

/** Output and errors keep members that the model of the service does not have. */
const withMore =
  /UnexpectedJsonOutput$|^handles_unexpected_json_output$|IgnoreType$|NestedTypeProperty$/

const wire = await startWire()
const subjects = await clientsOfFunctions()

/** The service of a test case. Only those of errors with two names ask for the names from before. */
const serviceOf = ({ id, version, headers = {} }: TestCase): JsonService => ({
  target: headers['X-Amz-Target']?.split('.')[0] ?? 'Any',
  version: version as JsonService['version'],
  bytes: cases.bytes,
  ...(id.startsWith('QueryCompatible') && { headers: { 'x-amzn-query-mode': 'true' } }),
})

/** A value of a model as JavaScript has it. */
function typed(value: unknown, name = '', times = (seconds: number): unknown => seconds): unknown {
  if (cases.bytes.includes(name)) return Uint8Array.from(Buffer.from(String(value)))
  if (cases.times.includes(name)) return times(Number(value))
  if (/^(NaN|-?Infinity)$/.test(String(value))) return Number(value)
  if (Array.isArray(value)) return value.map((element) => typed(element, '', times))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [key, typed(member, key, times)])
  return Object.fromEntries(members)
}

const asDate = (seconds: number) => new Date(seconds * 1000)

async function expectRequest(clients: Clients, testCase: TestCase): Promise<void> {
  const { headers = {}, body, params = {} } = testCase
  wire.react({ status: 200, body: '{}' })
  const operation = headers['X-Amz-Target']?.split('.')[1] ?? 'AnyOperation'
  const command = clients.newCommandOf(operation, typed(params, '', asDate) as object)
  await clients.attemptedAt(clients.serviceOf(serviceOf(testCase)))(command)
  const [arrived] = wire.arrived
  expect(arrived?.path).toBe('/')
  for (const [name, value] of Object.entries(headers)) {
    expect([name, arrived?.headers[name.toLowerCase()]]).toEqual([name, value])
  }
  expect('x-amzn-query-mode' in (arrived?.headers ?? {})).toBe('x-amzn-query-mode' in headers)
  if (body !== undefined) expect(JSON.parse(arrived?.body ?? '')).toEqual(JSON.parse(body))
}

/** The members of outputs and errors that are not members of the model. */
const ofEveryOutcome = new Set(['$metadata', 'name', 'code'])

async function expectOutcome(clients: Clients, testCase: TestCase): Promise<void> {
  const { id, code = 0, headers = {}, body = '', params = {}, error } = testCase
  wire.react({ status: code, headers, body })
  const attempted = clients.attemptedAt(clients.serviceOf(serviceOf(testCase)))
  const outcome = await attempted(clients.newCommandOf('AnyOperation', {}))
  const found: Record<string, unknown> = { ...(outcome.output ?? outcome.error) }
  expect([code < 300, outcome.error?.$metadata?.httpStatusCode]).toEqual(
    code < 300 ? [true, undefined] : [false, code],
  )
  const members = Object.entries(found).filter(([name]) => !ofEveryOutcome.has(name))
  expect(outcome.error?.name).toBe(error)
  // The message of an error does not have the name that it has on the way.
  const { Message, message = Message, ...expected } = typed(params) as Record<string, unknown>
  if (message !== undefined) expect(outcome.error?.message).toBe(message)
  if (withMore.test(id)) expect(Object.fromEntries(members)).toMatchObject(expected)
  else expect(Object.fromEntries(members)).toEqual(expected)
}

/** A test case, after the kind and the id that name it. */
type Row = readonly [kind: string, id: string, check: typeof expectRequest, testCase: TestCase]

const rows: Row[] = [
  ...cases.requests.map(
    (testCase: TestCase): Row => ['request', testCase.id, expectRequest, testCase],
  ),
  ...cases.responses.map(
    (testCase: TestCase): Row => ['response', testCase.id, expectOutcome, testCase],
  ),
]
const isLeftOut = ([, id]: Row) => Object.values(leftOut).some((ids) => ids.test(id))

describe.each(subjects)('D93: test cases of Smithy, with the clients %s', (_, clients) => {
  test.each(rows.filter((row) => !isLeftOut(row)))('%s %s', async (_, __, check, testCase) => {
    await check(clients, testCase)
  })

  test.each(rows.filter(isLeftOut))('%s %s is left out', async (_, __, check, testCase) => {
    await expect(check(clients, testCase)).rejects.toThrow(/^expected /)
  })

  test('the request id is that of the service', async () => {
    const testCase = cases.responses.find(
      ({ id }) => id === 'parses_the_request_id_from_the_response',
    )
    wire.react({ status: 400, headers: testCase?.headers as Record<string, string>, body: '{}' })
    const attempted = clients.attemptedAt(clients.serviceOf({ target: 'Any', version: '1.1' }))
    const { error } = await attempted(clients.newCommandOf('AnyOperation', {}))
    expect(error?.$metadata).toMatchObject({ requestId: 'amazon-uniq-request-id' })
  })
})
