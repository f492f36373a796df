import * as dynamodb from '@aws-sdk/client-dynamodb'
import * as kms from '@aws-sdk/client-kms'
import * as secretsManager from '@aws-sdk/client-secrets-manager'
import * as sqs from '@aws-sdk/client-sqs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AwsCommand } from '../../../lib/adapters/aws/aws-command.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'
import {
  attemptedAt,
  newCommandOf,
  newCommands,
  type Outcome,
  services as ours,
} from './clients.ts'
import { anyDocument, anyError, asSent, declaredErrors } from './generated-answers.ts'
import {
  attemptedBy,
  type PublishedClient,
  partsOf,
  publishedClients,
  publishedCommand,
} from './published.ts'
import { type Answer, type Arrived, startWire } from './wire.ts'

const wire = await startWire()

const runs = Number(process.env['GENERATED_ANSWERS'] ?? 10)

const published = publishedClients()

/** The services with the modules of the SDK and the errors that these declare. */
const services = [
  ['dynamodb', declaredErrors(dynamodb, dynamodb.DynamoDBServiceException)],
  ['kms', declaredErrors(kms, kms.KMSServiceException)],
  ['sqs', declaredErrors(sqs, sqs.SQSServiceException)],
  ['secretsManager', declaredErrors(secretsManager, secretsManager.SecretsManagerServiceException)],
] as const

describe.each(services)('D93: our clients do what the SDK’s do: %s', (service, errors) => {
  const expectedOf = attemptedBy(published[service] as PublishedClient)
  const commands$ = newCommands()[service].map(publishedCommand)
  const outcomeOf = attemptedAt(ours[service])
  const commands: AwsCommand<object, object>[] = newCommands()[service]

  /** Expects the same of our client as of the SDK's, for a response to a command of the service. */
  async function expectSame(answer: Answer, index: number, parts: (outcome: Outcome) => unknown) {
    wire.react(answer)
    const expected = parts(await expectedOf(commands$[index]))
    expect(parts(await outcomeOf(commands[index] as (typeof commands)[number]))).toEqual(expected)
    const [sent, ...others] = wire.arrived.map(comparable)
    expect(others).toEqual([sent])
  }

  test('any error has the same name, message, metadata and reason to try again', async () => {
    expect(errors.length).toBeGreaterThan(5)
    await checkAsync(
      fc.asyncProperty(anyError(errors), (answer) => expectSame(answer, 0, partsOf)),
      2 * runs,
    )
  })

  test('each declared error is as worth another attempt as the SDK says', async () => {
    for (const [name, status] of errors) {
      await expectSame({ status, body: JSON.stringify({ __type: `any#${name}` }) }, 0, partsOf)
    }
  })

  test.runIf(service === 'sqs')(
    'an error with its name from before has that of its shape',
    async () => {
      const renamed = Object.values(sqs as object).filter(isRenamedError)
      expect(renamed.length).toBeGreaterThan(20)
      for (const [, , name, { awsQueryError }] of renamed) {
        const headers = { 'x-amzn-query-error': `${awsQueryError[0]};Sender` }
        const body = JSON.stringify({ __type: `com.amazonaws.sqs#${name}`, message: 'Text' })
        await expectSame({ status: 400, headers, body }, 0, partsOf)
      }
      // Of an error without a shape, it is the only name.
      for (const name of ['InvalidClientTokenId', 'Throttling']) {
        const headers = { 'x-amzn-query-error': `${name};Sender` }
        await expectSame({ status: 400, headers }, 0, partsOf)
      }
    },
  )

  test.each([200, 301, 400, 403, 413, 429, 500, 502, 503, 504])(
    'a body that is not what it should be, with status %i',
    async (status) => {
      for (const body of strangeBodies) {
        await expectSame({ status, body }, 0, (outcome) => ({
          isOutput: outcome.output !== undefined,
          // What is wrong with a body the SDK says in other words.
          failure: { ...partsOf(outcome), message: 'any' },
        }))
      }
    },
  )

  test.each(commands$.map(({ schema }, index) => [schema[2], index] as const))(
    'any document is the same output of %s',
    async (_, index) => {
      const [, , , , , output] = commands$[index]?.schema ?? []
      const documents = anyDocument(output).map((document) => JSON.stringify(document))
      await checkAsync(
        fc.asyncProperty(documents, (body) =>
          expectSame(
            { status: 200, headers: { 'x-amzn-requestid': 'id' }, body },
            index,
            (outcome) => ({
              output: asSent(outcome.output),
              failure: partsOf(outcome),
            }),
          ),
        ),
        runs,
      )
    },
  )
})

test('D93: an empty answer of an operation without an output is no failure', async () => {
  wire.react({ status: 200, body: '' })
  const [, command] = newCommands().sqs
  const { error } = await attemptedAt(ours.sqs)(command as AwsCommand<object, object>)
  expect(error).toBeUndefined()
})

type RenamedError = [-3, string, name: string, { awsQueryError: [code: string, status: number] }]

/** Whether it is the schema of an error that had another name in the protocol before. */
const isRenamedError = (schema: unknown): schema is RenamedError =>
  Array.isArray(schema) && schema[0] === -3 && Array.isArray(schema[3]?.awsQueryError)

/** The headers by which the SDK says who it is, which attempt, and the digest of the body. */
const ofTheSdk = [
  'amz-sdk-invocation-id',
  'amz-sdk-request',
  'user-agent',
  'x-amz-content-sha256',
  'x-amz-user-agent',
]

/** A request without what differs in each of them, and without the headers that only the SDK sends. */
function comparable({ path, headers, body }: Arrived): unknown {
  const { authorization, ...others } = headers
  for (const name of ofTheSdk) delete others[name]
  delete others['x-amz-date']
  const [scope] = /Credential=[^,]*/.exec(String(authorization)) ?? []
  return { path, scope, headers: others, body: JSON.parse(body) }
}

test('an item in an error of DynamoDB has the same values', async () => {
  const Item = { ranges: { B: 'AAF/gP8=' }, parts: { BS: ['AAE=', ''] } }
  const __type = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException'
  wire.react({ status: 400, body: JSON.stringify({ __type, Item }) })
  const itemOf = ({ error }: Outcome) => (error as { Item?: unknown } | undefined)?.Item
  const [, put = { operation: 'PutItem', input: {} }] = newCommands().dynamodb
  const attempted = attemptedBy(publishedClients().dynamodb as PublishedClient)
  const expected = itemOf(await attempted(publishedCommand(put)))
  expect(expected).toMatchObject({ ranges: { B: expect.any(Uint8Array) } })
  const outcome = await attemptedAt(ours.dynamodb)(newCommandOf('PutItem', {}))
  expect(itemOf(outcome)).toEqual(expected)
})

const strangeBodies = [
  '',
  ' ',
  '{}',
  'null',
  'true',
  '5',
  '"text"',
  '[]',
  '[null]',
  '\uFEFF{}',
  '{"__type":"Throttl',
  '{"__type":5,"message":"Five"}',
  '<html><body><h1>503 Service Unavailable</h1></body></html>',
  '<?xml version="1.0"?><ErrorResponse><Error><Code>Throttling</Code></Error></ErrorResponse>',
  Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
]
