import * as dynamodb from '@aws-sdk/client-dynamodb'
import * as kms from '@aws-sdk/client-kms'
import * as secretsManager from '@aws-sdk/client-secrets-manager'
import * as sqs from '@aws-sdk/client-sqs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientOptions } from '../../../lib/adapters/aws-client.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'
import { newCommands } from './clients.ts'
import { anyDocument, withoutUnknown, withTimesAsSent } from './generated-documents.ts'
import { anyError, declaredErrors } from './generated-errors.ts'
import { type AnyClient, type Outcome, outcomesOf, partsOf } from './outcomes.ts'
import { clientsOfFunctions } from './subjects.ts'
import { type Answer, type Arrived, startWire } from './wire.ts'

const wire = await startWire()
const subjects = await clientsOfFunctions()

/** The number of generated responses to each command. */
const runs = Number(process.env['GENERATED_ANSWERS'] ?? 30)
const timeout = 20_000 + 200 * runs

/** The services with the SDK's clients, which have the SDK's own protocol, and the errors that these declare. */
const services = [
  {
    service: 'dynamodb',
    published: new dynamodb.DynamoDBClient(clientOptions()),
    errors: declaredErrors(dynamodb, dynamodb.DynamoDBServiceException),
  },
  {
    service: 'kms',
    published: new kms.KMSClient(clientOptions()),
    errors: declaredErrors(kms, kms.KMSServiceException),
  },
  {
    service: 'sqs',
    published: new sqs.SQSClient(clientOptions()),
    errors: declaredErrors(sqs, sqs.SQSServiceException),
  },
  {
    service: 'secretsManager',
    published: new secretsManager.SecretsManagerClient(clientOptions()),
    errors: declaredErrors(secretsManager, secretsManager.SecretsManagerServiceException),
  },
] as const

describe.each(services)(
  'D82: our protocol reads what the SDK’s does: $service',
  ({ service, published, errors }) => {
    const expectedOf = outcomesOf(published as AnyClient)
    const published$ = newCommands()[service]
    const ours = subjects.map(([name, { newClients, newCommands }]) => ({
      name,
      outcomeOf: outcomesOf(newClients()[service] as AnyClient),
      commands: newCommands()[service],
    }))

    /** Expects the same of each of our clients as of the SDK's, for a response to a command of the service. */
    async function expectSame(answer: Answer, index: number, parts: (outcome: Outcome) => unknown) {
      wire.react(answer)
      const expected = parts(await expectedOf(published$[index]))
      for (const { name, outcomeOf, commands } of ours) {
        expect([name, parts(await outcomeOf(commands[index]))]).toEqual([name, expected])
      }
      const [sent, ...others] = wire.arrived.map(asSent)
      for (const other of others) expect(other).toEqual(sent)
    }

    test('any error has the same name, message, metadata and reason to try again', {
      timeout,
    }, async () => {
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
            failure: partsOf(outcome),
          }))
        }
      },
    )

    test.each(published$.map((command, index) => [command.constructor.name, index] as const))(
      'any document is the same output of %s',
      { timeout },
      async (_, index) => {
        const [, , , , , output] = (published$[index] as { schema?: unknown[] }).schema ?? []
        const documents = anyDocument(output).map((document) => JSON.stringify(document))
        await checkAsync(
          fc.asyncProperty(documents, (body) =>
            expectSame(
              { status: 200, headers: { 'x-amzn-requestid': 'id' }, body },
              index,
              (outcome) => ({
                output: withoutUnknown(withTimesAsSent(outcome.output)),
                failure: partsOf(outcome),
              }),
            ),
          ),
          runs,
        )
      },
    )
  },
)

type RenamedError = [-3, string, name: string, { awsQueryError: [code: string, status: number] }]

/** Whether it is the schema of an error that had another name in the protocol before. */
const isRenamedError = (schema: unknown): schema is RenamedError =>
  Array.isArray(schema) && schema[0] === -3 && Array.isArray(schema[3]?.awsQueryError)

/** A request without what differs in each of them, and without the name of the SDK's parts. */
function asSent({ path, headers, body }: Arrived): unknown {
  const { authorization, ...others } = headers
  for (const name of ['amz-sdk-invocation-id', 'user-agent', 'x-amz-date', 'x-amz-user-agent']) {
    delete others[name]
  }
  const [signed] = /SignedHeaders=[^,]*/.exec(String(authorization)) ?? []
  return { path, signed, headers: others, body: JSON.parse(body) }
}

test('an item in an error of DynamoDB has the same values', async () => {
  const published = new dynamodb.DynamoDBClient(clientOptions())
  const Item = { ranges: { B: 'AAF/gP8=' }, parts: { BS: ['AAE=', ''] } }
  const __type = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException'
  wire.react({ status: 400, body: JSON.stringify({ __type, Item }) })
  const itemOf = ({ error }: Outcome) => (error as { Item?: unknown } | undefined)?.Item
  const expected = itemOf(await outcomesOf(published as AnyClient)(newCommands().dynamodb[1]))
  expect(expected).toMatchObject({ ranges: { B: expect.any(Uint8Array) } })
  for (const [name, { newClients, newCommands }] of subjects) {
    const outcomeOf = outcomesOf(newClients().dynamodb as AnyClient)
    expect([name, itemOf(await outcomeOf(newCommands().dynamodb[1]))]).toEqual([name, expected])
  }
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
