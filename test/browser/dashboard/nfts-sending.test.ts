import { describe, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../support/command-fixture.ts'
import type { FaultProxyOptions, ProxiedRequest } from '../../support/proxies/fault-proxy.ts'
import { allowedPages } from '../../support/requests/allowlists.ts'
import { keyIn, keysOf } from '../../support/requests/keys.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { gearPage, signInWith, startDashboard, useDashboard } from './dashboard-page.ts'

const allowlisting = 'POST /api/public/v1/product/tokens'

const unavailable = {
  status: 503,
  headers: { 'content-type': 'application/problem+json', 'retry-after': '1' },
  body: { success: false, code: 'service_unavailable', detail: 'The service is busy.' },
}

const { service, product, connect, open, openBehind } = useDashboard()

const listed = async () =>
  (await allowedPages(service.call, product.apiKey)).flat().map(({ tokenId }) => tokenId)

const ids = Array.from({ length: 6_000 }, (_, index) => String(index + 1))

/** Sends a file with 6,000 identifiers, which takes three requests, through a proxy with faults. */
async function sendBehind(onRequest: NonNullable<FaultProxyOptions['onRequest']>) {
  await connect('1')
  const opened = await openBehind({ onRequest }, `${gearPage}?add=1`)
  const buffer = Buffer.from(`token_id\n${ids.join('\n')}\n`)
  const file = { name: 'season.csv', mimeType: 'text/csv', buffer }
  await opened.page.setInputFiles('input[type=file]', file)
  await opened.page.click('button:has-text("Add 6,000 NFTs")')
  return opened
}

/** The first identifiers of the requests that the page has sent. */
const firstIds = (requests: readonly ProxiedRequest[]) =>
  requests.filter(({ action }) => action === allowlisting).map(({ body }) => body.tokens[0])

describe('Sending a long list', () => {
  test('goes on by itself after a request that failed half-way', async () => {
    const { page, proxy } = await sendBehind(({ action, index }) =>
      action === allowlisting && index >= 1 && index <= 3 ? unavailable : undefined,
    )
    await page.locator('.sending .notice:has-text("It goes on by itself in")').waitFor()
    const done = page.locator('.notice:has-text("6,000 NFTs were added.")')
    await done.waitFor()
    await page.waitForSelector('text=More than 1,000 NFTs on the allowlist')
    await done.getByRole('button', { name: 'Close' }).click()
    await done.waitFor({ state: 'detached' })
    expect(firstIds(proxy.requests).slice(0, 5)).toEqual(['1', '2501', '2501', '2501', '2501'])
    expect(await listed()).toEqual(ids)
  })

  test('can be stopped, and goes on after a reload', async () => {
    let isHeld = true
    const { page, proxy } = await sendBehind(({ action, index }) =>
      action === allowlisting && index >= 1 && isHeld ? 'hang' : undefined,
    )
    await page.waitForSelector('text=2,500 of 6,000 sent')
    await page.click('button:has-text("Stop")')
    await page.waitForSelector('text=Adding was stopped: 2,500 of 6,000 sent')
    isHeld = false
    await page.reload()
    await page.waitForSelector('text=Adding was stopped: 2,500 of 6,000 sent')
    await page.click('button:has-text("Continue")')
    await page.waitForSelector('text=6,000 NFTs were added.')
    expect(firstIds(proxy.requests).slice(0, 3)).toEqual(['1', '2501', '2501'])
    expect(await listed()).toEqual(ids)
    expect(await keptKeys(page)).toEqual([])
  })

  test('goes on with another key after the key was revoked', async () => {
    const keys = keysOf(service.call, product.apiKey)
    const [first] = await keys.list()
    const { apiKey: otherKey } = keyIn(await keys.create())
    const { page } = await sendBehind(async ({ action, index }) => {
      if (action === allowlisting && index === 1) await keys.end(first?.keyId ?? '')
      return undefined
    })
    await page.waitForURL('**/sign-in?to=*')
    await page.waitForSelector('text=The service no longer accepts your API key.')
    await signInWith(page, otherKey)
    await page.waitForSelector('text=2,500 of 6,000 sent')
    product.apiKey = otherKey
    await page.click('button:has-text("Continue")')
    await page.waitForSelector('text=6,000 NFTs were added.')
    expect(await listed()).toEqual(ids)
  })

  test('is forgotten with the key', async () => {
    const { page, proxy } = await sendBehind(({ action, index }) =>
      action === allowlisting && index === 1 ? 'hang' : undefined,
    )
    await page.waitForSelector('text=2,500 of 6,000 sent')
    expect(await keptKeys(page)).toHaveLength(2)
    await page.click('text=Sign out')
    await page.waitForURL('**/sign-in*')
    await expect.poll(() => keptKeys(page)).toEqual([])
    expect(firstIds(proxy.requests)).toEqual(['1', '2501'])
  })
})

test('100,000 identifiers of a CSV file are on the allowlist, although the service restarts meanwhile', async () => {
  // The file is longer than sessionStorage has room for.
  const many = Array.from({ length: 100_000 }, (_, index) => String(10n ** 77n + BigInt(index)))
  const folder = newFolder((end) => onTestFinished(async () => end()))
  const first = await startDashboard({ DATA_DIR: folder }, undefined, () => undefined)
  const apiKey = await first.newProduct()
  const path = `/nfts?add=1&chain=POLYGON&address=0x${'5'.repeat(40)}`
  const { page, misdeeds } = await open(path, { url: first.url, apiKey })
  await page.getByLabel('Description').fill('All lanterns of the first season.')
  const buffer = Buffer.from(
    `name;token_id\r\n${many.map((id) => `"Lantern; ${id}";${id}`).join('\r\n')}`,
  )
  await page.setInputFiles('input[type=file]', { name: 'all.csv', mimeType: 'text/csv', buffer })
  await page.click('button:has-text("Add 100,000 NFTs")')
  await page.waitForSelector('text=7,500 of 100,000 sent')
  await first.stack.close()
  await page.waitForSelector('text=It goes on by itself in')
  const { port } = new URL(first.url)
  const second = await startDashboard({ DATA_DIR: folder, PORT: port })
  await page.waitForSelector('text=100,000 NFTs were added.', { timeout: 300_000 })
  const pages = await allowedPages(second.call, apiKey)
  expect(pages.flat().map(({ tokenId }) => tokenId)).toEqual(many)
  // The browser logs the refused connections.
  misdeeds.errors = misdeeds.errors.filter((message) => !message.includes('net::ERR_CONNECTION'))
}, 400_000)

/** The keys of what the browser keeps in its database. */
const keptKeys = (page: BrowserPage) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opened = indexedDB.open('player-nfts', 1)
        opened.onerror = () => reject(opened.error)
        opened.onsuccess = () => {
          const keys = opened.result.transaction('values').objectStore('values').getAllKeys()
          keys.onsuccess = () => {
            opened.result.close()
            resolve(keys.result.map(String))
          }
        }
      }),
  )
