import { symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { samples } from '@player-nfts/local/samples'
import { expect, test } from 'vitest'
import { allowlist } from '../../support/requests/allowlists.ts'
import { type WebhookEntry, webhookIn, webhooksOf } from '../../support/requests/webhooks.ts'
import { freePort } from '../../support/services/free-port.ts'
import { startOwnService } from '../../support/services/own-service.ts'
import { atFileEnd } from '../../support/vitest/at-file-end.ts'
import { programOf } from './page-program.ts'

const { folder, start, length } = await programOf('docs/webhooks.md', (code) =>
  code.replace('listen(8080', 'listen(process.env.PORT'),
)
await symlink(resolve('node_modules'), join(folder, 'node_modules'))

// An event leaves the overlap after 31 s.
const { call, newProduct, stack } = await startOwnService(
  { FOLLOWED_CHAINS: 'POLYGON', FOLLOW_POLL_SECONDS: '1', SETTLING_SECONDS: '0' },
  atFileEnd,
)
const { lanterns } = samples.collections
const [wallet = ''] = samples.players.threeWallets.wallets

/** Mints an NFT to a player of the sample world. */
async function mint(tokenId: string): Promise<void> {
  const params = [{ contractAddress: lanterns.address, to: wallet, tokenId }]
  const answer = await fetch(`${stack.sampleIndexerUrl}/polygon-mainnet/v2/any-key`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sample_mint', params }),
  })
  expect(await answer.json()).toMatchObject({ result: { tokenId } })
}

const startServer = (port: number, WEBHOOK_SECRET: string) =>
  start({ PORT: `${port}`, WEBHOOK_SECRET })

test('D121, D122: the server of the page is told of mints, and after its death of those that it has not heard of', {
  timeout: 300_000,
}, async () => {
  expect(length).toBeLessThanOrEqual(20)
  const apiKey = await newProduct()
  await allowlist(call, apiKey, { contractAddress: lanterns.address, tokens: ['*'] })
  const webhooks = webhooksOf(call, apiKey)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const { webhookId, secret } = webhookIn(await webhooks.create({ url }))
  const test = async () => (await webhooks.test(webhookId)).json.data
  expect(await test()).toMatchObject({ delivered: false, failure: 'connection_failed' })
  const stranger = startServer(port, `whsec_${Buffer.from('another secret').toString('base64')}`)
  await expect.poll(test).toMatchObject({ delivered: false, status: 401 })
  stranger.kill()
  const first = startServer(port, secret)
  await expect.poll(test).toMatchObject({ delivered: true, status: 200 })
  const one = async (): Promise<WebhookEntry | undefined> => (await webhooks.list())[0]
  expect(await one()).toMatchObject({ state: 'active', lastFailure: null })
  await mint('90001')
  expect(await first.next()).toMatch(/^90001: null to 0x/)
  // A server that dies before its answer is noted is told again.
  await expect.poll(one).toMatchObject({ pendingSince: null })
  first.kill()
  await mint('90002')
  await expect.poll(one, { timeout: 120_000 }).toMatchObject({
    ...{ state: 'failing', failures: expect.any(Number), pendingSince: expect.any(String) },
    lastFailure: { code: 'connection_failed', status: null },
  })
  const rotated = webhookIn(await webhooks.rotate(webhookId, { overlapSeconds: 0 }))
  const second = startServer(port, rotated.secret)
  await webhooks.update(webhookId, { state: 'active' })
  expect(await second.next()).toMatch(/^90002: null to 0x/)
  await expect.poll(one).toMatchObject({
    ...{ state: 'active', failures: 0, pendingSince: null, behindSeconds: null },
    lastDeliveredAt: expect.any(String),
  })
  // What the server has heard of, it hears of again.
  await webhooks.replay(webhookId, { since: new Date(Date.now() - 300_000).toISOString() })
  const heard = new Set<string>()
  while (!heard.has('90002')) heard.add((await second.next()).split(':')[0] ?? '')
  expect([...heard].filter((line) => /^9000/.test(line))).toEqual(['90001', '90002'])
})
