import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { samples } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import { allowlist } from '../support/requests/allowlists.ts'
import { startOwnService } from '../support/services/own-service.ts'

// The requests of the platform's plugin for the Unreal Engine, byte for byte, in both generations: the earlier
// one has the API key of the product, the later one its id.

const service = await startOwnService({}, afterAll)
const { hostname, port, host } = new URL(service.url)
const { gear } = samples.collections
const { wallets } = samples.players.oneWallet

const apiKey = await service.newProduct()
const { productId } = (await service.call('GET /product', { apiKey })).json.data
await allowlist(service.call, apiKey, {
  contractAddress: gear.address,
  chain: gear.chain,
  tokens: ['2', '4'],
})
const player = await service.newPlayer(wallets)

const setClientAccess = (clientAccess: boolean) =>
  service.call('PATCH /product', { apiKey, body: { clientAccess } })

/** The headers that both generations set on each request, also on a GET. */
const headers = ['Content-Type: application/json', 'Accept: application/json']

/** The headers that the engine adds. Some of its versions send a length with every GET. */
const engine = [
  ['Accept-Encoding: deflate, gzip', 'User-Agent: Lanterns/UE5-CL-0 (http-legacy) Windows/10.0'],
  ['User-Agent: X-UnrealEngine-Agent', 'Content-Length: 0'],
]

/** Sends a request as bytes, and returns the status and the JSON of the response. */
async function send(target: string, more: readonly string[], added: readonly string[]) {
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, ...headers, ...more, ...added]
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  const response = await text(socket)
  const [head = '', ...body] = response.split('\r\n\r\n')
  const json = /\{.*\}/s.exec(body.join('\r\n\r\n'))?.[0] ?? 'null'
  return { status: Number(head.split(' ')[1]), json: JSON.parse(json) }
}

const base = '/api/public/v1'
const ids = ({ json }: Awaited<ReturnType<typeof send>>) =>
  json.data.map(({ tokenId }: { tokenId: string }) => tokenId)

describe.each(engine.map((added) => [added]))('D51: the plugin, with %j', (added) => {
  test('D51: both generations read the public key and create a player token', async () => {
    const publicKey = await send(`${base}/public-key`, [], added)
    expect(publicKey.json).toMatchObject({ data: { publicKey: expect.any(String) }, success: true })
    const bearer = [`Authorization: Bearer ${await service.userJwt({ wallets })}`]
    const created = await send(`${base}/player/token`, bearer, added)
    expect(created.json).toMatchObject({ data: { token: expect.any(String) }, success: true })
  })

  test.each(['balance', 'details'])('D51: a generation reads the player %s', async (name) => {
    const target = `${base}/player/${name}?playerToken=${player.playerToken}`
    const { status, json } = await send(target, [], added)
    expect([status, json.success, json.data.userId]).toEqual([200, true, player.userId])
  })

  test.each(['tokens', 'tokens/raw'])('D51: the earlier one reads /player/%s', async (name) => {
    const target = `${base}/player/${name}?playerToken=${player.playerToken}&chains`
    expect(ids(await send(target, [`X-Api-Key: ${apiKey}`], added))).toEqual(['2', '4'])
  })

  test.each(['tokens', 'tokens/raw'])('D51: the later one reads /player/%s', async (name) => {
    await setClientAccess(true)
    const target = `${base}/player/${name}?productId=${productId}&playerToken=${player.playerToken}`
    expect(ids(await send(`${target}&chainDtos=`, [], added))).toEqual(['2', '4'])
    expect(ids(await send(`${target}&chainDtos=POLYGON`, [], added))).toEqual(['2', '4'])
    expect(ids(await send(`${target}&chainDtos=BSC`, [], added))).toEqual([])
    expect(ids(await send(`${target}&chainDtos=BSC,POLYGON`, [], added))).toEqual(['2', '4'])
    await setClientAccess(false)
    const { status, json } = await send(`${target}&chainDtos=`, [], added)
    expect([status, json.code]).toEqual([401, 'missing_api_key'])
  })
})
