import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, test } from 'vitest'
import { samples } from '../../local/samples/samples.ts'
import { storeContracts } from '../support/aws/stored-contracts.ts'
import { tableOf } from '../support/aws/table.ts'
import { allowedNfts, allowedTokenIds, allowlist } from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress, registration } from '../support/services/service.ts'

/** Two services that share only their AWS resources. */
const a = await startOwnService({}, afterAll)
const b = await startOwnService({ AWS_ENDPOINT_URL: a.stack.aws.endpoint ?? '' }, afterAll)
const table = tableOf(a)

const { gear } = samples.collections
const contract = { contractAddress: gear.address, chain: gear.chain }

const rawTokenIds = async (apiKey: string, playerToken: string, process = b) => {
  const answer = await process.call('GET /player/tokens/raw', { apiKey, playerToken })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data.map(({ tokenId }: { tokenId: string }) => tokenId)
}

describe('two processes on one table', () => {
  test('D19: a contract unbound by one process is gone for the next request to the other', async () => {
    const apiKey = await a.newProduct()
    const { playerToken } = await a.newPlayer(samples.players.oneWallet.wallets)
    // Repeatedly, and each time the other process has read the allowlist just before.
    for (const tokens of [['2', '3', '4'], ['3'], ['4', '6']]) {
      await allowlist(a.call, apiKey, { ...contract, tokens })
      expect(await allowedTokenIds(b.call, apiKey)).toEqual(tokens)
      expect(await rawTokenIds(apiKey, playerToken)).toEqual(tokens)
      await a.call('DELETE /product/contract', { apiKey, query: contract })
      expect(await allowedNfts(b.call, apiKey)).toEqual([])
      expect(await rawTokenIds(apiKey, playerToken)).toEqual([])
      const answer = await b.call('DELETE /product/contract', { apiKey, query: contract })
      expectProblem(answer, 'contract_not_connected')
    }
  })

  test('D20: an NFT unbound by one process is gone for the next request to the other', async () => {
    const apiKey = await a.newProduct()
    const { playerToken } = await b.newPlayer(samples.players.oneWallet.wallets)
    await allowlist(b.call, apiKey, { ...contract, tokens: ['2', '3'] })
    expect(await rawTokenIds(apiKey, playerToken, a)).toEqual(['2', '3'])
    await b.call('DELETE /product/tokens', { apiKey, query: { ...contract, tokens: '2' } })
    expect(await rawTokenIds(apiKey, playerToken, a)).toEqual(['3'])
  })

  test('D45: a product deleted by one process is refused by the next request to the other', async () => {
    const { playerToken } = await a.newPlayer()
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const { apiKey, productId } = (await one.call('POST /product', { body: registration() })).json
        .data
      await one.call('PATCH /product', { apiKey, body: { clientAccess: true } })
      const ofClient = { query: { productId }, playerToken }
      // The other process knows the key and the product.
      expect((await other.call('GET /product', { apiKey })).status).toBe(200)
      expect((await other.call('GET /player/tokens', ofClient)).status).toBe(200)
      const query = { confirm: registration().name }
      expect((await one.call('DELETE /product', { apiKey, query })).status).toBe(200)
      expectProblem(await other.call('GET /product', { apiKey }), 'invalid_api_key')
      expectProblem(await other.call('DELETE /product', { apiKey, query }), 'invalid_api_key')
      expectProblem(await other.call('GET /player/tokens', ofClient), 'missing_api_key')
    }
  })

  test('D17: both allowlist the same new contract at the same time, and the list is the union', async () => {
    const [apiKey, contractAddress] = [await a.newProduct(), newAddress()]
    const lists = Array.from({ length: 8 }, (_, caller) => [String(caller), String(caller + 1)])
    await Promise.all(
      lists.map((tokens, caller) =>
        allowlist((caller % 2 === 0 ? a : b).call, apiKey, { contractAddress, tokens }),
      ),
    )
    const union = ['0', '1', '2', '3', '4', '5', '6', '7', '8']
    expect(await allowedTokenIds(a.call, apiKey)).toEqual(union)
    expect(await allowedTokenIds(b.call, apiKey)).toEqual(union)
  })

  test.each(['MUMBAI', 'BSC_TESTNET'])(
    'D11, D56: an earlier %s entry remains visible and removable',
    async (chain) => {
      const [apiKey, contractAddress] = [await a.newProduct(), newAddress()]
      const old = { contractAddress, chain }
      const tokenIds = ['1', '2', '3']
      await storeContracts(a, apiKey, { chain, address: contractAddress, tokenIds })
      const entries = tokenIds.map((tokenId) => ({ tokenId, address: contractAddress, chain }))
      const closed = { ...old, contractDescription: 'A chain that is no more.', tokens: ['4'] }
      expectProblem(
        await b.call('POST /product/tokens', { apiKey, body: closed }),
        'invalid_request',
      )
      expect(await allowedNfts(b.call, apiKey)).toEqual(entries)
      const some = { ...old, tokens: ['1', '2'] }
      expect((await b.call('DELETE /product/tokens', { apiKey, query: some })).status).toBe(200)
      expect(await allowedTokenIds(b.call, apiKey)).toEqual(['3'])
      expect((await b.call('DELETE /product/contract', { apiKey, query: old })).status).toBe(200)
      expect(await allowedNfts(b.call, apiKey)).toEqual([])
    },
  )

  test.each(['MUMBAI', 'BSC_TESTNET'])(
    'D31, D56: an entry on %s causes no indexer call',
    async (chain) => {
      const [apiKey, contractAddress] = [await a.newProduct(), newAddress()]
      await storeContracts(a, apiKey, { chain, address: contractAddress, tokenIds: ['1'] })
      const { playerToken } = await a.newPlayer([newAddress()])
      // Nothing listens at this address.
      const blind = await startOwnService({
        AWS_ENDPOINT_URL: a.stack.aws.endpoint ?? '',
        INDEXER_URL: 'http://127.0.0.1:9',
      })
      const body = { smartContract: contractAddress }
      const refresh = await blind.call('POST /tokens/refresh', { apiKey, body })
      expect(refresh.json.data).toMatchObject({ chains: [chain], checked: 0, pending: 0 })
      const read = await blind.call('GET /player/tokens/raw', { apiKey, playerToken })
      expect(read.json).toMatchObject({ data: [], success: true })
    },
  )

  test('4.11: a player token of one process is accepted by the other', async () => {
    const player = await a.newPlayer(samples.players.oneWallet.wallets)
    const { playerToken, userId, username } = player
    const { json } = await b.call('GET /player/details', { playerToken })
    expect(json.data).toMatchObject({ userId, username })
  })
})

describe('D9: the API keys of two processes', () => {
  const productOf = async ({ call }: Pick<typeof a, 'call'>, apiKey: string) =>
    await call('GET /product', { apiKey })

  test('a key registered by one process works in the other immediately', async () => {
    const { json } = await a.call('POST /product', { body: registration() })
    expect((await productOf(b, json.data.apiKey)).status).toBe(200)
  })

  test('a valid key may be cached, an invalid key never is', async () => {
    const before = new Set((await table.itemsUnder('API_KEY#')).map(({ pk }) => pk))
    const apiKey = await a.newProduct()
    const item = (await table.itemsUnder('API_KEY#')).find(({ pk }) => !before.has(pk))
    const { pk, sk } = item ?? {}
    expect(pk).toMatch(/^API_KEY#[0-9a-f]{64}$/)

    expect((await productOf(a, apiKey)).status).toBe(200)
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }))
    // The key did not exist when this process first received it.
    expectProblem(await productOf(b, apiKey), 'invalid_api_key')
    expect((await productOf(a, apiKey)).status).toBe(200)
    await table.client.send(new PutCommand({ TableName: table.name, Item: item }))
    expect((await productOf(b, apiKey)).status).toBe(200)
  })

  test('the key itself is stored nowhere', async () => {
    const apiKey = await a.newProduct()
    await allowlist(b.call, apiKey, { ...contract, tokens: ['1'] })
    expect(JSON.stringify(await table.itemsUnder(''))).not.toContain(apiKey)
    expect([...a.log, ...b.log].join('\n')).not.toContain(apiKey)
  })

  test('a process that starts later accepts the key', async () => {
    const apiKey = await a.newProduct()
    const c = await startOwnService({ AWS_ENDPOINT_URL: a.stack.aws.endpoint ?? '' })
    expect((await productOf(c, apiKey)).status).toBe(200)
  })
})
