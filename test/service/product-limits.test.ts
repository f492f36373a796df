import { describe, expect, test } from 'vitest'
import { workerName } from '../../infra/bundle/bundle.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import type { LambdaHost } from '../../local/lambda/lambda-host.ts'
import { numbers } from '../../local/samples/samples.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()

/** Later than every credential of these tests is issued, and before it expires. */
const later = Date.now() + 600_000

const indexerLimits = {
  INDEXER_CALLS_PER_PRODUCT_AND_MINUTE: '100',
  INDEXER_CALLS_PER_PRODUCT_AND_DAY: '400',
}

/** Containers in which nothing is paid back. */
const containersWith = (variables: Record<string, string>, count = 1) =>
  Array.from({ length: count }, () => service.newContainers(variables, later))

const statusesOf = (answers: readonly Received[]) => answers.map(({ status }) => status)
const refusedIn = (answers: readonly Received[]) => answers.filter(({ status }) => status !== 200)

/** Calls an operation in turn in several containers, one call after the other. */
async function inTurn(
  hosts: readonly LambdaHost[],
  id: Parameters<typeof invokeFunction>[1],
  calls: readonly Sent[],
): Promise<Received[]> {
  const answers: Received[] = []
  for (const [index, sent] of calls.entries()) {
    answers.push(await invokeFunction(hosts[index % hosts.length] as LambdaHost, id, sent))
  }
  return answers
}

const times = <Thing>(count: number, thing: Thing): Thing[] =>
  Array.from({ length: count }, () => thing)

/** A product with one NFT of a contract on its list, and a player with this number of wallets that hold it. */
async function reading(wallets: number): Promise<Sent> {
  const address = newAddress()
  const apiKey = await service.newProduct()
  await service.call('POST /product/tokens', {
    apiKey,
    body: allowlistingBody({ contractAddress: address, tokens: ['1'] }),
  })
  const owners = Array.from({ length: wallets }, (_, index) => {
    const wallet = newAddress()
    const contract = { network: 'polygon-mainnet', address } as const
    ownedBy(service.world, contract, wallet, [String(index + 1)])
    return wallet
  })
  const { playerToken } = await service.newPlayer(owners)
  return { apiKey, playerToken }
}

describe('D47: the indexer calls of a product', () => {
  test('D47: reads of many wallets end at the limit; those of a second product go on', async () => {
    const hosts = containersWith(indexerLimits, 3)
    const [greedy, other] = [await reading(20), await reading(1)]
    const answers: Received[] = []
    const others: Received[] = []
    const counts = await service.countsOf(async () => {
      for (let round = 0; round < 15; round += 1) {
        answers.push(
          ...(await inTurn([hosts[round % 3] as LambdaHost], 'getRawMetadata', [greedy])),
        )
        others.push(...(await inTurn([hosts[round % 3] as LambdaHost], 'getRawMetadata', [other])))
      }
    })
    expect(statusesOf(others)).toEqual(times(15, 200))
    const refused = refusedIn(answers)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) expectProblem(answer, 'rate_limited')
    expect(refused[0]?.json.limit).toEqual({
      name: 'indexer_calls_by_minute',
      count: 100,
      perSeconds: 60,
    })
    const spent = (counts['getNFTsForOwner'] ?? 0) - others.length
    expect(spent).toBeLessThanOrEqual(100)
  })

  test('D47, D78: parallel calls in several containers make no more calls than the limit', async () => {
    const hosts = containersWith({ INDEXER_CALLS_PER_PRODUCT_AND_DAY: '100' }, 4)
    const greedy = await reading(20)
    const round = () =>
      Promise.all(hosts.map((host) => invokeFunction(host, 'getStructuredMetadata', greedy)))
    let granted = 0
    const counts = await service.countsOf(async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        granted = (await round()).filter(({ status }) => status === 200).length
      }
    })
    expect(counts['getNFTsForOwner']).toBeLessThanOrEqual(100)
    expect(counts['getNFTsForOwner']).toBeGreaterThan(100 - hosts.length)
    expect(granted).toBe(0)
  })

  test('D47: the limit by the day holds on its own', async () => {
    const [host] = containersWith({ INDEXER_CALLS_PER_PRODUCT_AND_DAY: '3' })
    const sent = await reading(1)
    const answers = await inTurn([host as LambdaHost], 'getRawMetadata', times(5, sent))
    expect(statusesOf(answers)).toEqual([200, 200, 200, 429, 429])
    expect(answers[4]?.json.limit.name).toBe('indexer_calls_by_day')
    expect(Number(answers[4]?.headers.get('retry-after'))).toBe(86_400 / 3)
  })

  test('D31, D47: a refresh and a connection in a loop end at the limit, background included', async () => {
    const [host] = containersWith({ INDEXER_CALLS_PER_PRODUCT_AND_DAY: '30' })
    const apiKey = await service.newProduct()
    const other = await reading(1)
    const answers: Received[] = []
    const counts = await service.countsOf(async () => {
      for (let round = 0; round < 8; round += 1) {
        const contractAddress = newAddress()
        const body = allowlistingBody({ contractAddress, tokens: numbers(1, 300) })
        await service.call('POST /product/tokens', { apiKey, body })
        const messages = service.messages().length
        const refresh = { apiKey, body: { smartContract: contractAddress } }
        const answer = await invokeFunction(host as LambdaHost, 'refreshMetadata', refresh)
        answers.push(answer)
        for (const message of service.messages().slice(messages)) {
          const Records = [{ messageId: 'message', body: message }]
          await (host as LambdaHost).invoke(workerName, { Records })
        }
        const query = { contractAddress, chain: 'POLYGON' }
        await service.call('DELETE /product/contract', { apiKey, query })
        const read = await invokeFunction(host as LambdaHost, 'getRawMetadata', other)
        expect(read.status).toBe(200)
      }
    })
    const refused = refusedIn(answers)
    expect(refused.length).toBeGreaterThan(0)
    expectProblem(refused[0] as Received, 'rate_limited')
    // Four calls before each response, two in the background.
    expect(counts['getNFTMetadataBatch']).toBe(6 * (answers.length - refused.length))
    expect(counts['getNFTMetadataBatch']).toBeLessThanOrEqual(30 + 6)
  })

  test('Budget: the counters are read with the product, and written beside the operation', async () => {
    const [host] = containersWith(indexerLimits)
    const sent = await reading(1)
    await invokeFunction(host as LambdaHost, 'getRawMetadata', sent)
    const counts = await service.countsOf(() =>
      invokeFunction(host as LambdaHost, 'getRawMetadata', sent),
    )
    expect(counts).toEqual({
      BatchGetItem: 1 + 1,
      Query: 1,
      UpdateItem: 1,
      getNFTsForOwner: 1,
    })
  })
})

describe('D47: allowlisting', () => {
  const allowlisting = (apiKey: string, contractAddress: string, first: number, count: number) => ({
    apiKey,
    body: allowlistingBody({ contractAddress, tokens: numbers(first, first + count - 1) }),
  })

  test('D47: identifiers by the minute; the request that exceeds the limit is the last one', async () => {
    const [host] = containersWith({ ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE: '1000' })
    const [greedy, other] = [await service.newProduct(), await service.newProduct()]
    const [a, b] = [newAddress(), newAddress()]
    const answers = await inTurn(
      [host as LambdaHost],
      'allowlistNfts',
      times(4, allowlisting(greedy, a, 1, 600)),
    )
    expect(statusesOf(answers)).toEqual([200, 200, 429, 429])
    expect(answers[2]?.json.limit).toEqual({
      name: 'allowlisted_nfts',
      count: 1000,
      perSeconds: 60,
    })
    const unaffected = allowlisting(other, b, 1, 600)
    expect((await invokeFunction(host as LambdaHost, 'allowlistNfts', unaffected)).status).toBe(200)
    // A fault of the input is reported only to callers below their limit.
    const invalid = { apiKey: greedy, body: {} }
    const refused = await invokeFunction(host as LambdaHost, 'allowlistNfts', invalid)
    expectProblem(refused, 'rate_limited')
  })

  test('D47: NFTs on all lists; the upper bound is counted exactly before it refuses', async () => {
    const [host] = containersWith({ NFTS_PER_PRODUCT: '100' })
    const apiKey = await service.newProduct()
    const [a, b] = [newAddress(), newAddress()]
    const send = async (address: string, first: number, count: number) =>
      (
        await invokeFunction(
          host as LambdaHost,
          'allowlistNfts',
          allowlisting(apiKey, address, first, count),
        )
      ).status
    // The same 60 NFTs three times: the bound would be 180, and the count is 60.
    expect(await send(a, 1, 60)).toBe(200)
    expect(await send(a, 1, 60)).toBe(200)
    expect(await send(a, 1, 60)).toBe(200)
    expect(await send(b, 1, 45)).toBe(429)
  })

  test('D47: a product with the maximum is refused, and counted once in some minutes', async () => {
    const [host] = containersWith({ NFTS_PER_PRODUCT: '100' })
    const apiKey = await service.newProduct()
    const send = (first: number) =>
      invokeFunction(
        host as LambdaHost,
        'allowlistNfts',
        allowlisting(apiKey, newAddress(), first, 50),
      )
    expect(statusesOf([await send(1), await send(1)])).toEqual([200, 200])
    const answers: Received[] = []
    const countedLists: string[] = []
    service.interfere(({ action, body }) => {
      if (action === 'Query' && body.Select === 'COUNT') countedLists.push(JSON.stringify(body))
      return undefined
    })
    const counts = await service.countsOf(async () => {
      for (let call = 0; call < 5; call += 1) answers.push(await send(1))
    })
    service.interfere(() => undefined)
    for (const answer of answers) expectProblem(answer, 'rate_limited')
    expect(answers[0]?.json.limit).toEqual({ name: 'nfts', count: 100 })
    expect(answers[0]?.headers.get('retry-after')).toBe('300')
    // One query for the list of each of the two contracts.
    expect(countedLists).toHaveLength(2)
    expect(counts['BatchWriteItem']).toBeUndefined()
  })
})

describe('D47: the NFTs of one refresh', () => {
  test('D47: are bounded, and the next refresh continues after them', async () => {
    const [host] = containersWith({ REFRESHED_NFTS: '250' })
    const apiKey = await service.newProduct()
    const contractAddress = newAddress()
    const body = allowlistingBody({ contractAddress, tokens: numbers(1, 450) })
    await service.call('POST /product/tokens', { apiKey, body })
    const sent = { apiKey, body: { smartContract: contractAddress } }
    const refresh = async () =>
      (await invokeFunction(host as LambdaHost, 'refreshMetadata', sent)).json.data
    expect(await refresh()).toMatchObject({ checked: 200, pending: 50 })
    const Records = [{ messageId: 'message', body: service.messages().at(-1) }]
    const counts = await service.countsOf(() =>
      (host as LambdaHost).invoke(workerName, { Records }),
    )
    // One batch, which passes the bound.
    expect(counts['getNFTMetadataBatch']).toBe(2)
    expect(await refresh()).toMatchObject({ checked: 300, pending: 0 })
  })
})
