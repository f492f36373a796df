import { sampleAccounts, samples } from '@player-nfts/local/samples'
import type { Account } from '@player-nfts/local/samples/sample-account'
import { writeSampleUsers } from '@player-nfts/local/samples/sample-items'
import { sampleSmartAccounts } from '@player-nfts/local/samples/sample-smart-accounts'
import { afterAll, expect, test } from 'vitest'
import { allowlist } from '../../support/requests/allowlists.ts'
import { clientOf } from '../../support/requests/client.ts'
import type { ToAllowlist } from '../../support/requests/reading.ts'
import { startGatewayOver, withStillClock } from '../../support/services/containers.ts'
import { startOwnService } from '../../support/services/own-service.ts'
import { signInCalls } from '../../support/sign-in/sign-in-calls.ts'
import { programOf } from './page-program.ts'

const service = await startOwnService({}, afterAll)
const { call, stack } = service
const { enter, newGame } = signInCalls(service)
const { gear, keepers, vessels } = samples.collections
await writeSampleUsers(stack, Date.now())

const { start, length } = await programOf('README.md')

/** Runs the game of the README until its end. `onLine`: called with each line. Returns the lines. */
async function play(
  url: string,
  productId: string,
  onLine?: (line: string) => Promise<void>,
): Promise<string[]> {
  const game = start({ PORT: new URL(url).port, PRODUCT_ID: productId })
  const lines: string[] = []
  for await (const line of game.lines) {
    lines.push(line)
    await onLine?.(line)
  }
  return lines
}

/** Runs the game until its end, in which a wallet signs in on the page and gives the game access. */
const playAs = (account: Account, productId: string) =>
  play(service.url, productId, async (line) => {
    const [, page, userCode] = /^Open (\S+) and enter (\S+)$/.exec(line) ?? []
    if (!userCode) return
    expect(page).toBe(`${service.url}/connect`)
    const { session } = await enter(account)
    const decided = { path: { userCode }, body: { approve: true }, session }
    expect((await call('POST /device/{userCode}', decided)).status).toBe(200)
  })

/** A game that shows tokens of some collections. */
async function gameWith(...allowed: ToAllowlist[]) {
  const { productId, apiKey } = await newGame()
  await call('PATCH /product', { apiKey, body: { clientAccess: true } })
  for (const { chain, address, tokenIds } of allowed) {
    await allowlist(call, apiKey, { chain, contractAddress: address, tokens: tokenIds })
  }
  return productId
}

test('D112: the game of the README shows the NFTs of a player, and a day later without a signature', async () => {
  expect(length).toBeLessThanOrEqual(40)
  const productId = await gameWith({ ...gear, tokenIds: ['2', '17'] })
  const [account] = sampleAccounts(samples.players.threeWallets)
  if (!account) throw new Error('no wallet')

  const first = await playAs(account, productId)
  expect(first.slice(1).toSorted()).toEqual(nfts)

  const tomorrow = Date.now() + 25 * 3_600_000
  const later = await startGatewayOver(withStillClock(stack.functions, tomorrow))
  const { playerToken } = await service.newPlayer()
  const expired = await clientOf(later)('GET /player/details', { playerToken })
  expect(expired.json.code).toBe('player_token_expired')
  expect((await play(later, productId)).toSorted()).toEqual(nfts)
}, 60_000)

test('D159: the game of the README shows the NFTs of a smart account on its chain, and none of another', async () => {
  const productId = await gameWith(
    { ...keepers, tokenIds: ['21', '34'] },
    { ...vessels, tokenIds: ['40'] },
  )
  const { deployed } = sampleSmartAccounts
  const [, ...shown] = await playAs(deployed, productId)
  expect(shown.map((line) => line.split(' ')[0])).toEqual(['21', '34'])
}, 60_000)

/** The gloves are in one wallet of the player, and hammers are in two. */
const hammer = '2 Bellfounder’s Hammer of Candle Row'
const nfts = ['17 Eelskin Gloves of Stairfoot', hammer, hammer]
