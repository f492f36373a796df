import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { numbers } from '@player-nfts/local/samples'
import { afterEach, describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import { holdRounds } from '../support/proxies/rounds.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { productWith } from '../support/requests/reading.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

/** Tests which requests are sequential and which are simultaneous. */

const service = await startCountedService()
// A deployment without webhooks.
const host = service.newContainers({ WEBHOOK_QUEUE_URL: '' })

afterEach(() => service.interfere(() => undefined))

const times = <Thing>(count: number, thing: Thing): Thing[] =>
  Array.from({ length: count }, () => thing)

/** Expects these rounds of requests for a new caller, in a container that has already read its keys. */
async function expectRounds(id: OperationId, sent: Sent, expected: readonly string[][], by = host) {
  await invokeFunction(by, id, await acceptedRequest(service, id))
  const { rounds, onRequest } = holdRounds(expected.map((round) => round.length))
  service.interfere(onRequest)
  const answer = await invokeFunction(by, id, sent)
  expect(answer.status, answer.text).toBe(200)
  expect(rounds).toEqual(expected.map((round) => round.toSorted()))
}

const apiKey = ['GetItem']
const product = ['GetItem']

const address = newAddress()

/** A wallet with the tokens 1 to `count` of the contract, of which up to 50 are allowlisted. */
function holderOf(count: number): string {
  const wallet = newAddress()
  ownedBy(service.world, { network: 'polygon-mainnet', address }, wallet, numbers(1, count))
  return wallet
}

const reading = async (...counts: number[]): Promise<Sent> => {
  const contract = { chain: 'POLYGON', address, tokenIds: numbers(1, 50) }
  const { playerToken } = await service.newPlayer(counts.map(holderOf))
  return { apiKey: await productWith(service, contract), playerToken }
}

// The API key, then the product with the player, and the contracts; verifying the token takes no request.
const beginning = [['GetItem'], ['BatchGetItem', 'Query']]

describe('Budget: reading a player’s NFTs', () => {
  test.each(['getRawMetadata', 'getStructuredMetadata'] as const)(
    '%s: four reads in three requests and two rounds, then a page and its NFTs',
    async (id) => {
      const page = [['getNFTsForOwner'], ['BatchGetItem']]
      await expectRounds(id, await reading(10), [...beginning, ...page])
    },
  )

  test('eight wallets are read simultaneously', async () => {
    const eight = [times(8, 'getNFTsForOwner'), times(8, 'BatchGetItem')]
    const ninth = [['getNFTsForOwner'], ['BatchGetItem']]
    const rounds = [...beginning, ...eight, ...ninth]
    await expectRounds('getRawMetadata', await reading(...times(9, 1)), rounds)
  })
})

describe('D78: a request with a limit of indexer calls', () => {
  const limited = (count: number) =>
    service.newContainers({ INDEXER_CALLS_PER_PRODUCT_AND_DAY: `${count}` })

  test('Budget: reserves them with one write, in one round before the indexer', async () => {
    const eight = [times(8, 'getNFTsForOwner'), times(8, 'BatchGetItem')]
    const rounds = [...beginning, ['UpdateItem'], ...eight]
    await expectRounds('getRawMetadata', await reading(...times(8, 1)), rounds, limited(1_000))
  })
})

test.each([
  [1_000, [40]],
  [2_500, [40, 40, 20]],
])(
  'Budget: allowlisting %i NFTs: batches of 25, 40 at a time, beside the description',
  async (count, batches) => {
    const body = allowlistingBody({ contractAddress: newAddress(), tokens: numbers(1, count) })
    await expectRounds('allowlistNfts', { apiKey: await service.newProduct(), body }, [
      apiKey,
      [...product, 'GetItem'],
      ['PutItem', 'Query'],
      ['PutItem'],
      ...batches.map((size, index) => [
        ...times(size, 'BatchWriteItem'),
        ...times(index === 0 ? 1 : 0, 'PutItem'),
      ]),
      ['UpdateItem'],
    ])
  },
)

describe('Budget: the other operations', () => {
  test('D47: creating a player token: one write, which counts it, and then one signature', async () => {
    const sent = await acceptedRequest(service, 'createPlayerToken')
    await expectRounds('createPlayerToken', sent, [['UpdateItem'], ['Sign']])
  })

  test.each([
    ['getAllowedNfts', [['Query']]],
    ['getContracts', [['BatchGetItem', 'Query']]],
  ] as const)('D46: %s reads the contracts beside the product', async (id, rest) => {
    const rounds = [apiKey, [...product, 'Query'], ...rest.map((round) => [...round])]
    await expectRounds(id, await acceptedRequest(service, id), rounds)
  })

  test('D19: unbinding a contract sends its message before it disconnects the contract', async () => {
    const sent = await acceptedRequest(service, 'unbindContract')
    const reads = [...product, 'GetItem']
    const rounds = [apiKey, reads, ['PutItem', 'SendMessage'], ['DeleteItem'], ['UpdateItem']]
    await expectRounds('unbindContract', sent, rounds)
  })

  test('D20: unbinding 100 NFTs deletes 40 at a time', async () => {
    const sent = await acceptedRequest(service, 'unbindNfts')
    const query = { ...sent.query, tokens: numbers(1, 100) }
    const deletes = [40, 40, 20].map((size) => times(size, 'DeleteItem'))
    const rounds = [apiKey, [...product, 'GetItem'], ['PutItem'], ...deletes, ['UpdateItem']]
    await expectRounds('unbindNfts', { ...sent, query }, rounds)
  })
})
