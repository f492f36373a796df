import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { sampleAccounts, samples } from '@player-nfts/local/samples'
import { writeSampleUsers } from '@player-nfts/local/samples/sample-items'
import { afterAll, expect, test } from 'vitest'
import { allowlist } from '../../support/requests/allowlists.ts'
import { clientOf } from '../../support/requests/client.ts'
import { startGatewayOver } from '../../support/services/containers.ts'
import { startOwnService } from '../../support/services/own-service.ts'
import { withStillClock } from '../../support/services/still-clock.ts'
import { signInCalls } from '../../support/sign-in/sign-in-calls.ts'
import { readersNode } from './readers-node.ts'

const folder = await mkdtemp(join(tmpdir(), 'player-nfts-test-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const service = await startOwnService({}, afterAll)
const { call, stack } = service
await writeSampleUsers(stack, Date.now())

const [code = ''] = (await readFile('README.md', 'utf8')).match(/(?<=^```js\n).*?(?=^```$)/ms) ?? []
await writeFile(join(folder, 'game.mjs'), code)

/** Runs the game of the README until its end. `onLine`: called with each line. Returns the lines. */
async function play(
  url: string,
  productId: string,
  onLine?: (line: string) => Promise<void>,
): Promise<string[]> {
  const env = { PATH: process.env['PATH'], PORT: new URL(url).port, PRODUCT_ID: productId }
  const game = spawn(readersNode(code), ['game.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  for await (const line of createInterface(game.stdout)) {
    lines.push(line)
    await onLine?.(line)
  }
  return lines
}

test('D112: the game of the README shows the NFTs of a player, and a day later without a signature', async () => {
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  const { enter, newGame } = signInCalls(service)
  const { productId, apiKey } = await newGame()
  await call('PATCH /product', { apiKey, body: { clientAccess: true } })
  const { chain, address: contractAddress } = samples.collections.gear
  await allowlist(call, apiKey, { chain, contractAddress, tokens: ['2', '17'] })
  const [account] = sampleAccounts(samples.players.threeWallets)
  if (!account) throw new Error('no wallet')

  const first = await play(service.url, productId, async (line) => {
    const [, page, userCode] = /^Open (\S+) and enter (\S+)$/.exec(line) ?? []
    if (!userCode) return
    expect(page).toBe(`${service.url}/connect`)
    const { session } = await enter(account)
    const decided = { path: { userCode }, body: { approve: true }, session }
    expect((await call('POST /device/{userCode}', decided)).status).toBe(200)
  })
  expect(first.slice(1).toSorted()).toEqual(nfts)

  const tomorrow = Date.now() + 25 * 3_600_000
  const later = await startGatewayOver(withStillClock(stack.functions, tomorrow))
  const { playerToken } = await service.newPlayer()
  const expired = await clientOf(later)('GET /player/details', { playerToken })
  expect(expired.json.code).toBe('player_token_expired')
  expect((await play(later, productId)).toSorted()).toEqual(nfts)
}, 60_000)

/** The gloves are in one wallet of the player, and hammers are in two. */
const hammer = '2 Bellfounder’s Hammer of Candle Row'
const nfts = ['17 Eelskin Gloves of Stairfoot', hammer, hammer]
