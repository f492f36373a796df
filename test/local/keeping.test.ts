import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, describe, expect, test } from 'vitest'
import { logEvent, transferEvent } from '../../local/indexer/chain/event-log.ts'
import { give, take } from '../../local/indexer/holdings.ts'
import { networkOf, sampleWorld } from '../../local/samples/sample-world.ts'
import { type SampleCollection, samples } from '../../local/samples/samples.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { lineOf, lineWhere } from '../support/requests/log-lines.ts'
import { dataIn, productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const world = sampleWorld()
const indexer = await startTestIndexer(world, afterAll)
const nftApi = { isDown: false }
const proxy = await startFaultProxy(
  {
    target: indexer.url,
    onRequest: ({ path }) =>
      nftApi.isDown && path.includes('/nft/v3/') ? { status: 500 } : undefined,
  },
  afterAll,
)

const service = await startOwnService(
  {
    ...{ INDEXER_URL: proxy.url, FOLLOWED_CHAINS: 'POLYGON,BSC', KEPT_FROM_READS: '1' },
    ...{ SETTLING_SECONDS: '1', OWNERS_LAG_SECONDS: '1', FOLLOW_POLL_SECONDS: '1' },
  },
  afterAll,
)
const { call, log, newPlayer, stack } = service

const { keepers, curios, lanterns, crates } = samples.collections
const contracts = [keepers, curios, lanterns, crates]
const { wallets } = samples.players.threeWallets
const apiKey = await productWith(
  service,
  ...contracts.map((each) => ({ ...each, tokenIds: ['*'] })),
)
const { playerToken } = await newPlayer(wallets)

/** The NFTs of a read that a game makes, and the calls of the indexer that its log line counts. */
async function read() {
  const answer = await call('GET /player/tokens/raw', { apiKey, playerToken })
  expect(answer.status, answer.text).toBe(200)
  const line = await lineOf(log, answer)
  const nfts: Record<string, unknown>[] = answer.json.data
  const idsOf = ({ address }: SampleCollection) =>
    nfts.flatMap((nft) => (nft['address'] === address ? [`${nft['tokenId']}`] : []))
  return { nfts, data: dataIn(answer), idsOf, indexerCalls: Number(line['indexerCalls'] ?? 0) }
}

/** Reads until an NFT is in the answer, or is not any more. Returns the last read, and the calls of all. */
async function readUntil(collection: SampleCollection, tokenId: string, isThere: boolean) {
  let found = await read()
  let allCalls = found.indexerCalls
  const hasIt = async () => {
    found = await read()
    allCalls += found.indexerCalls
    return found.idsOf(collection).includes(tokenId)
  }
  await expect.poll(hasIt, { timeout: 60_000, interval: 500 }).toBe(isThere)
  return { ...found, allCalls }
}

/** What getContracts says of the contracts, in their order. */
async function ownership(): Promise<object[]> {
  const { json } = await call('GET /product/contracts', { apiKey })
  return contracts.map(
    ({ address }) =>
      json.data.find((each: { address: string }) => each.address === address).ownership,
  )
}

/** Changes the sample world as `npm run move-nft` and `npm run mint` do. */
async function change(collection: SampleCollection, method: string, params: object) {
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method },
    params: [{ contractAddress: collection.address, ...params }],
  })
  const headers = { 'content-type': 'application/json' }
  const url = `${indexer.url}/${networkOf(collection)}/v2/any-key`
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(await response.json()).toHaveProperty('result')
}

const move = (tokenId: string, from: string, to: string) =>
  change(keepers, 'sample_move', { from, to, tokenId })

// The tests build on each other: the snapshots take minutes.
describe('D152: what a newcomer sees of a sample world', { timeout: 300_000 }, () => {
  let asked: Awaited<ReturnType<typeof read>>
  let [keeper, wallet] = ['', '']
  const stranger = newAddress()

  test('the first read asks the indexer, and its contracts are kept from then on', async () => {
    expect(await ownership()).toEqual(contracts.map(() => ({ kept: false, reason: 'not_read' })))
    asked = await read()
    const { tokenId, owner } = asked.nfts.find(({ address }) => address === keepers.address) ?? {}
    ;[keeper, wallet] = [`${tokenId}`, `${owner}`]
    expect(asked.indexerCalls).toBeGreaterThan(0)
    await expect.poll(ownership).toContainEqual({ kept: false, reason: 'in_preparation' })
    const calls = async () => (await read()).indexerCalls
    await expect.poll(calls, { timeout: 240_000, interval: 2_000 }).toBe(0)
    for (const each of await ownership()) {
      expect(each).toEqual({ kept: true, since: expect.stringMatching(/^20.*Z$/) })
    }
    expect((await read()).data).toBe(asked.data)
  })

  test('a moved NFT is in the answers within seconds, and none of them has asked', async () => {
    await move(keeper, wallet, stranger)
    const without = await readUntil(keepers, keeper, false)
    expect(without.nfts).toHaveLength(asked.nfts.length - 1)
    await move(keeper, stranger, wallet)
    const again = await readUntil(keepers, keeper, true)
    expect(again.data).toBe(asked.data)
    expect(without.allCalls + again.allCalls).toBe(0)
  })

  test('without the NFT API of the indexer nothing changes but the metadata of new tokens', async () => {
    nftApi.isDown = true
    await move(keeper, wallet, stranger)
    await readUntil(keepers, keeper, false)
    await change(lanterns, 'sample_mint', { to: wallets[0], tokenId: '20001' })
    const { nfts } = await readUntil(lanterns, '20001', true)
    const incomplete = nfts.filter(({ metadataError }) => metadataError === 'indexer_unavailable')
    expect(incomplete).toMatchObject([
      { address: lanterns.address, tokenId: '20001', rawMetadata: {} },
    ])
    nftApi.isDown = false
    const missing = async () =>
      (await read()).nfts.filter((nft) => nft['metadataError'] === 'indexer_unavailable')
    await expect.poll(missing).toEqual([])
  })

  test('D154: an audit ends the use of a contract whose events do not say what it does', async () => {
    const network = networkOf(curios)
    const [tokenId = ''] = asked.idsOf(curios)
    const holder = asked.nfts.find((nft) => nft['address'] === curios.address)?.['owner']
    take(world, { network, address: curios.address, tokenId }, `${holder}`)
    give(world, { network, address: curios.address, tokenId }, stranger)
    expect((await read()).idsOf(curios)).toContain(tokenId)
    const queue = new SQSClient(stack.aws)
    afterAll(() => queue.destroy())
    const { chain, address } = curios
    const MessageBody = JSON.stringify({ kind: 'audit', contract: { chain, address } })
    await queue.send(new SendMessageCommand({ QueueUrl: stack.resources.queueUrl, MessageBody }))
    const ended = await lineWhere(
      log,
      ({ kind, contract, outcome }) =>
        kind === 'audit' && contract === address && outcome === 'ended',
    )
    expect(ended).toMatchObject({ endedSnapshots: 1 })
    expect((await readUntil(curios, tokenId, false)).indexerCalls).toBeGreaterThan(0)
    expect((await ownership())[1]).toEqual({ kept: false, reason: 'doubted' })
  })

  test('D156: a contract is asked for once it has told an event that is not understood', async () => {
    const { topics } = transferEvent('ERC721', {
      ...{ from: undefined, to: undefined, tokenId: crates.tokenIds[0] as never, amount: 1n },
    })
    const place = { network: networkOf(crates), address: crates.address }
    logEvent(world, place, { topics, data: '0x', movements: [] }, Date.now())
    const reason = async () => (await ownership())[3]
    await expect.poll(reason).toEqual({ kept: false, reason: 'unknown_event' })
    const { idsOf } = await read()
    expect(idsOf(crates)).toEqual(asked.idsOf(crates))
  })
})
