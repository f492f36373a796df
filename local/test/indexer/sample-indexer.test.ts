import { describe, expect, test } from 'vitest'
import { ownedAfter } from '../../indexer/holdings.ts'
import { sampleWorld } from '../../samples/sample-world.ts'
import { samples } from '../../samples/samples.ts'
import {
  lanternWallets,
  letLanternTravel,
  restMilliseconds,
  travellingLantern,
} from '../../samples/travelling-lantern.ts'

const path = 'a-secret-path'
process.env['INDEXER_PATH'] = path
// The tenth movement is in the block after the latest one of its time: five blocks later that is visible.
process.env['STARTED_AT'] = `${Date.now() - 10 * restMilliseconds - 10_000}`
// The query makes two modules of the file, as two containers do.
const file = new URL('../../indexer/sample-indexer/handler.ts', import.meta.url).href
const load = async (container: number) =>
  (await import(/* @vite-ignore */ `${file}?container=${container}`))
    .handler as typeof import('../../indexer/sample-indexer/handler.ts').handler
const containers = [await load(1), await load(2)] as const

const polygon = 'polygon-mainnet'
const [wallet = ''] = samples.players.largeWallet.wallets

async function call(container: 0 | 1, rawPath: string, more: object = {}, method = 'GET') {
  const event = { rawPath, rawQueryString: '', requestContext: { http: { method } }, ...more }
  const { statusCode, body } = await containers[container](event as never)
  return { statusCode, json: body === undefined ? undefined : JSON.parse(body) }
}

const hex = (number: number) => `0x${number.toString(16)}`

const pageOf = (container: 0 | 1, query: string) =>
  call(container, `/${path}/${polygon}/nft/v3/key/getNFTsForOwner`, { rawQueryString: query })

const rpc = (container: 0 | 1, body: string, isBase64Encoded = false) =>
  call(container, `/${path}/${polygon}/v2/key`, { body, isBase64Encoded }, 'POST')

describe('the sample indexer as a function', () => {
  test.each(['/', `/${polygon}/v2/key`, `/${path}`, `/${path}x/${polygon}/v2/key`, `/x${path}/y`])(
    'answers nothing at %s, without the secret path',
    async (rawPath) => {
      expect(await call(0, rawPath)).toEqual({ statusCode: 404, json: undefined })
    },
  )

  test('one container continues the pages of another', async () => {
    const first = await pageOf(0, `owner=${wallet}&pageSize=100`)
    const { pageKey, totalCount } = first.json
    const next = await pageOf(1, `owner=${wallet}&pageSize=100&pageKey=${pageKey}`)
    expect([first.statusCode, next.statusCode]).toEqual([200, 200])
    expect(totalCount).toBeGreaterThan(200)
    expect(next.json.ownedNfts).toHaveLength(100)
  })

  test('takes bodies as text and as base64, and says what is wrong as the server does', async () => {
    const body = '{"id":1,"method":"eth_blockNumber","params":[]}'
    const base64 = Buffer.from(body).toString('base64')
    expect((await rpc(0, base64, true)).json.result).toBe((await rpc(0, body)).json.result)
    expect(await rpc(0, '{')).toMatchObject({ statusCode: 400, json: { error: { code: -32700 } } })
    expect(await call(0, `/${path}/nowhere/v2/key`)).toMatchObject({ statusCode: 404 })
  })

  test('all containers have the same history of the lantern', async () => {
    const latest = Number((await rpc(0, '{"id":1,"method":"eth_blockNumber"}')).json.result)
    const request = (first: number) =>
      JSON.stringify({
        ...{ id: 1, method: 'eth_getLogs' },
        params: [
          { address: travellingLantern.address, fromBlock: hex(first), toBlock: hex(latest) },
        ],
      })
    const events = async (container: 0 | 1) => (await rpc(container, request(latest - 1_900))).json
    expect((await events(0)).result).toHaveLength(11)
    expect(await events(0)).toEqual(await events(1))
    const owned = await pageOf(1, `owner=${lanternWallets[0]}`)
    expect(owned.json.ownedNfts.map(({ tokenId }: { tokenId: string }) => tokenId)).toEqual(['1'])
  })
})

describe('a lantern that travels', () => {
  const held = (world: ReturnType<typeof sampleWorld>) =>
    lanternWallets.map(
      (owner) =>
        ownedAfter(world, { network: polygon, owner }, { after: undefined, limit: 10 }).owned
          .length,
    )

  test('moves between two wallets by the clock, and late movements keep their time', () => {
    const start = Date.UTC(2026, 10, 24)
    const [punctual, late] = [sampleWorld(), sampleWorld()]
    const travel = letLanternTravel(punctual, start)
    expect(held(punctual)).toEqual([1, 0])
    travel(start + restMilliseconds - 1)
    expect(held(punctual)).toEqual([1, 0])
    travel(start + restMilliseconds)
    expect(held(punctual)).toEqual([0, 1])
    travel(start + 2 * restMilliseconds + 5)
    expect(held(punctual)).toEqual([1, 0])
    letLanternTravel(late, start)(start + 2 * restMilliseconds + 90_000)
    expect(late[polygon].chain.events).toEqual(punctual[polygon].chain.events)
  })
})
