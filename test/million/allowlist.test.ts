import { join } from 'node:path'
import { promisify } from 'node:util'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { dynaliteStore } from '@player-nfts/local/aws/dynamodb/dynalite-store'
import { openEntries } from '@player-nfts/local/aws/entries'
import { ownedBy } from '@player-nfts/local/indexer/holdings'
import type { LambdaFunction } from '@player-nfts/local/lambda/lambda-function'
import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import { numbers } from '@player-nfts/local/samples'
import { createKey } from 'dynalite/db/index.js'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { bundleFunctions, workerName } from '../../infra/bundle/bundle.ts'
import { allowedKey } from '../../lib/adapters/dynamodb/keys/binding-partition.ts'
import { firstItems, queryOf } from '../../lib/adapters/dynamodb/prefix-reads.ts'
import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { BindingId } from '../../lib/domain/nft/nft.ts'
import { adapterTableOf, tableOf } from '../support/aws/stored-items.ts'
import { newFolder } from '../support/command-fixture.ts'
import { type AllowedNft, allowlist, allowlistingBody } from '../support/requests/allowlists.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { acceptedBy, processedBy } from '../support/requests/invoke-function.ts'
import { startContainers } from '../support/services/containers.ts'
import { type CountedService, startCountedService } from '../support/services/counted-service.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

/**
 * An allowlist of a million NFTs, and functions whose memory cannot hold it: each operation makes as many
 * requests as for a hundred NFTs, or works page by page.
 */

/** The heap of each function in megabytes. A third of it is in use before the first call. */
const heapMegabytes = 96

const chain = 'POLYGON'
const [long, short] = [newAddress(), newAddress()].sort() as [string, string]
const tokenIdAt = (number: number) => String((1n << 255n) + BigInt(number)) as TokenId
/** Every third of the longest identifiers, in numeric order; the other contract has the rest. */
const longList = Array.from({ length: 999_900 }, (_, index) => tokenIdAt(3 * index))
const shortList = numbers(1, 100)

const dataDir = newFolder(atFileEnd)
let service: CountedService
let limited: LambdaHost
let apiKey: string
let bindingId: BindingId

beforeAll(async () => {
  const first = await startOwnService({ DATA_DIR: dataDir }, atFileEnd)
  apiKey = await first.newProduct()
  await allowlist(first.call, apiKey, { contractAddress: long, tokens: longList.slice(0, 1) })
  await allowlist(first.call, apiKey, { contractAddress: short, tokens: shortList })
  const items = await tableOf(first).itemsUnder('PRODUCT#')
  bindingId = items.find(({ sk }) => sk.endsWith(long))?.['bindingId'] as BindingId
  await first.stack.close()
  await storeLongList(first.stack.resources.tableName)
  service = await startCountedService(dataDir)
  limited = startContainers(functions())
})

/**
 * Adds the long list to the allowlist by writing to the files of the embedded DynamoDB, which must not be running. A million takes
 * a quarter of a minute, while requests would take minutes.
 */
async function storeLongList(tableName: string): Promise<void> {
  const entries = await openEntries(join(dataDir, 'dynamodb'), join(dataDir, 'dynamodb-writes'))
  const store = dynaliteStore(entries)
  const table = await promisify(store.getTable)(tableName, true)
  if (!table) throw new Error(`There is no table ${tableName}.`)
  const sublevel = store.getItemDb(tableName)
  const batch = promisify(sublevel.batch)
  const itemsAtOnce = 5_000
  for (let start = 0; start < longList.length; start += itemsAtOnce) {
    const items = longList.slice(start, start + itemsAtOnce).map((tokenId) => {
      const { pk, sk } = allowedKey(bindingId, tokenId)
      return { pk: { S: pk }, sk: { S: sk } }
    })
    await batch(items.map((value) => ({ type: 'put', key: createKey(value, table), value })))
  }
  await entries.close()
}

/** The functions, with a limited heap. The worker stops after 10 s, because it starts no batch in its last 20 s. */
const functions = (): Record<string, LambdaFunction> =>
  Object.fromEntries(
    Object.entries(service.functionsWith()).map(([name, definition]) => {
      const limits = { heapMegabytes, ...(name === workerName && { timeoutSeconds: 30 }) }
      return [name, { ...definition, ...limits }]
    }),
  )

const accepted = (id: OperationId, sent: Sent) => acceptedBy(limited, id, sent)

/** Reads the whole allowlist, 10,000 entries at a time. */
async function* pages(): AsyncGenerator<AllowedNft[]> {
  let cursor: string | undefined
  do {
    const query: Record<string, string> = cursor === undefined ? {} : { cursor }
    const { json } = await accepted('getAllowedNfts', { apiKey, query })
    yield json.data
    cursor = json.nextCursor
  } while (cursor !== undefined)
}

const entriesOf = (address: string, tokenIds: readonly string[]): AllowedNft[] =>
  tokenIds.map((tokenId) => ({ tokenId, address, chain }))

test('a function that reads the whole list runs out of memory', async () => {
  const entryPoints = ['test/million/whole-list.ts']
  const [bundle] = await bundleFunctions({ entryPoints, outDir: join(dataDir, 'functions') })
  const worker = functions()[workerName] as LambdaFunction
  const host = startContainers({ wholeList: { ...worker, file: bundle?.file ?? '' } })
  expect(await host.invoke('wholeList', { bindingId })).toMatchObject({
    ok: false,
    message: expect.stringContaining('JS heap out of memory'),
  })
})

test('D18: it is listed in 100 responses: complete, in order, without repetition', async () => {
  let [read, answers] = [0, 0]
  for await (const page of pages()) {
    const ofLong = longList.slice(read, read + 10_000)
    const ofShort = shortList.slice(0, 10_000 - ofLong.length)
    expect(page).toEqual([...entriesOf(long, ofLong), ...entriesOf(short, ofShort)])
    read += page.length
    answers += 1
  }
  expect([read, answers]).toEqual([1_000_000, 100])
})

describe('reading a player’s NFTs', () => {
  const wallet = newAddress()
  // One in three is allowlisted, over the whole range of the list.
  const held = numbers(0, 249).map((number) => tokenIdAt(12_001 * Number(number)))
  const expected = [
    ...entriesOf(
      long,
      held.filter((_, index) => index % 3 === 0),
    ),
    ...entriesOf(short, numbers(91, 100)),
  ]
  let playerToken: string

  beforeAll(async () => {
    const network = 'polygon-mainnet'
    ownedBy(service.world, { network, address: long }, wallet, held)
    ownedBy(service.world, { network, address: short }, wallet, numbers(91, 110))
    playerToken = (await service.newPlayer([wallet])).playerToken
  })

  test.each(['getRawMetadata', 'getStructuredMetadata'] as const)(
    'D24: %s returns the allowlisted NFTs, with as many requests as for 100',
    async (id) => {
      const ofHundred = await service.newProduct()
      const tokens = [held[0] ?? '', ...longList.slice(1, 50)]
      await allowlist(service.call, ofHundred, { contractAddress: long, tokens })
      await allowlist(service.call, ofHundred, { contractAddress: short, tokens: numbers(51, 100) })
      // The first call of a container makes additional requests.
      await accepted(id, { apiKey: ofHundred, playerToken })
      let answer: Received | undefined
      const counts = await service.countsOf(async () => {
        answer = await accepted(id, { apiKey, playerToken })
      })
      expect(answer?.json.data).toMatchObject(expected)
      expect(answer?.json.data).toHaveLength(expected.length)
      const countsOfHundred = await service.countsOf(() =>
        accepted(id, { apiKey: ofHundred, playerToken }),
      )
      // Its API key is cached now.
      expect(counts).toEqual({ ...countsOfHundred, GetItem: 1 })
    },
  )
})

describe('changing the allowlist', () => {
  test('D31: a refresh checks 200 and counts the others', async () => {
    const { json } = await accepted('refreshMetadata', { apiKey, body: { smartContract: long } })
    expect(json.data).toMatchObject({ checked: 200, pending: 999_700 })
  })

  test('D17, D20: NFTs are added and unbound, with as many requests as for 100', async () => {
    const contractAddress = long
    const add = (to: string) => {
      const body = allowlistingBody({ contractAddress, tokens: numbers(1, 60) })
      return accepted('allowlistNfts', { apiKey: to, body })
    }
    const remove = (from: string) => {
      const query = { contractAddress, chain, tokens: numbers(1, 60) }
      return accepted('unbindNfts', { apiKey: from, query })
    }
    const ofHundred = await service.newProduct()
    await allowlist(service.call, ofHundred, { contractAddress, tokens: longList.slice(0, 100) })
    for (const change of [add, remove]) {
      await change(ofHundred)
      const [counts, countsOfHundred] = [
        await service.countsOf(() => change(apiKey)),
        await service.countsOf(() => change(ofHundred)),
      ]
      expect(counts).toEqual({ ...countsOfHundred, GetItem: (countsOfHundred['GetItem'] ?? 0) + 1 })
    }
  })
})

describe('D19: unbinding the contract', () => {
  const query = { contractAddress: long, chain }

  test('takes one write and one message, and the next request returns none of its NFTs', async () => {
    const counts = await service.countsOf(() => accepted('unbindContract', { apiKey, query }))
    // The API key, the product and the contract. The event is written and settled.
    expect(counts).toEqual({
      GetItem: 3,
      SendMessage: 1,
      DeleteItem: 1,
      PutItem: 1,
      UpdateItem: 1,
    })
    const left: AllowedNft[][] = []
    for await (const page of pages()) left.push(page)
    expect(left).toEqual([entriesOf(short, shortList)])
  })

  test('deletes all NFTs in the end: the worker continues with follow-up messages', async () => {
    const sent = service.messages()
    const sweep = sent.at(-1) ?? ''
    expect(JSON.parse(sweep)).toMatchObject({ kind: 'sweep', contract: { bindingId } })
    await processedBy(limited, sweep)
    const followUps = service.messages().slice(sent.length)
    expect(followUps).toEqual([sweep])
    const table = adapterTableOf(service.stack)
    const query = queryOf(table, { pk: `BINDING#${bindingId}` })
    const left = async () => (await firstItems(table, query, 1)).length
    expect(await left()).toBe(1)
    // The service's own worker continues.
    const queue = new SQSClient(service.stack.aws)
    const { queueUrl: QueueUrl } = service.stack.resources
    await queue.send(new SendMessageCommand({ QueueUrl, MessageBody: sweep }))
    await expect.poll(left, { timeout: 550_000, interval: 2_000 }).toBe(0)
    queue.destroy()
  })
})
