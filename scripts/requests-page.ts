import { samples } from '@player-nfts/local/samples'
import { type OperationId, operationIds, operations, routes } from '../functions/operations.ts'
import { computeUnits } from '../lib/adapters/alchemy/compute-units.ts'
import { requestsOf } from '../lib/contract/requests.ts'
import type { Requests } from '../lib/contract/route.ts'
import { table } from '../openapi/reference/markdown.ts'
import { prices } from './prices.ts'

const introduction = `# Requests

What a call of each operation asks of DynamoDB, KMS, SQS, Secrets Manager and Alchemy, and what a million calls cost in
US dollars. \`npm run generate\` writes this page from the \`requests\` of each operation in [functions](../functions), and
[a test](../test/service/request-counts.test.ts) compares them with the running service.

The call has the first example of the operation's body and the examples of its required parameters. The product has one
contract of ${samples.collections.gear.tokenIds.length} NFTs, and one API key, or two for an operation on a key. The player has three wallets of less than 100 NFTs
each. A player who signs in with a wallet is new in \`signIn\`, and otherwise has one wallet, or two to remove one, and a session
or a game with access where an operation needs them. There are no [limits](operations.md#limits). RRU and WRU are read and
write request units, as DynamoDB counts them, and CU are compute units of Alchemy. [Costs](costs.md#what-a-call-grows-with)
says what the numbers grow with.

"AWS" is what follows from the counts of each call: the request of API Gateway, the invocation, and the requests to AWS.
[Lambda's duration, logs and data out](costs.md#beside-the-requests) come in addition.`

const afterTable =
  'The first call of a container with an API key also reads the key: a `GetItem` and 1 RRU.'

/** docs/requests.md: what each operation asks of AWS and of the indexer, and what follows from it for its costs. */
export const requestsPage = (): string =>
  `${[introduction, ofOperations(), afterTable, ofPrices()].join('\n\n')}\n`

const ofOperations = (): string =>
  table(
    [
      ...['operation', 'each call', 'first call of a container, in addition'],
      ...['RRU', 'WRU', 'CU', 'AWS, $', 'Alchemy, $'],
    ],
    operationIds.map(cellsOf),
  )

function cellsOf(id: OperationId): string[] {
  const { each, first, units } = requestsOf(routes[id], operations[id].requests)
  const { read, write } = units
  const { Sign = 0, SendMessage = 0 } = each
  const computed = computeUnitsIn(each)
  const aws =
    prices.httpRequest.perMillion +
    prices.invocation.perMillion +
    read * prices.readUnit.perMillion +
    write * prices.writeUnit.perMillion +
    Sign * prices.kmsRequest.perMillion +
    SendMessage * prices.sqsRequest.perMillion
  const alchemy = computed * prices.computeUnit.perMillion
  const numbers = [read, write, computed].map((count) =>
    count > 0 ? count.toLocaleString('en') : '',
  )
  return [
    `\`${id}\``,
    textOf(each),
    textOf(first),
    ...numbers,
    aws.toFixed(2),
    alchemy > 0 ? alchemy.toFixed(2) : '',
  ]
}

const computeUnitsIn = (requests: Requests): number =>
  Object.entries(computeUnits).reduce(
    (sum, [name, units]) => sum + units * (requests[name as keyof Requests] ?? 0),
    0,
  )

const textOf = (requests: Requests): string =>
  Object.entries(requests)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => (count === 1 ? `\`${name}\`` : `${count} \`${name}\``))
    .join(', ')

const ofPrices = (): string =>
  [
    '## Prices',
    'List prices of us-east-1, without free tiers and discounts, from these [sources](costs.md#sources):',
    table(
      ['a million', 'dollars'],
      Object.values(prices).map(({ perMillion, unit }) => [unit, String(perMillion)]),
    ),
    table(
      ['call to Alchemy', 'CU'],
      Object.entries(computeUnits).map(([name, units]) => [`\`${name}\``, String(units)]),
    ),
  ].join('\n\n')
