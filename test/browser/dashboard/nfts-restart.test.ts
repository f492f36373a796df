import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../support/command-fixture.ts'
import { allowedPages } from '../../support/requests/allowlists.ts'
import { launchBrowser } from '../chromium/browser.ts'
import { openDashboard, startDashboard } from './dashboard-page.ts'

let browser: Awaited<ReturnType<typeof launchBrowser>>
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

test('100,000 identifiers of a CSV file are on the allowlist, although the service restarts meanwhile', async () => {
  // The file is longer than sessionStorage has room for.
  const ids = Array.from({ length: 100_000 }, (_, index) => String(10n ** 77n + BigInt(index)))
  const folder = newFolder((end) => onTestFinished(async () => end()))
  const first = await startDashboard({ DATA_DIR: folder }, { onEnd: () => undefined })
  const apiKey = await first.newProduct()
  const address = `0x${'5'.repeat(40)}`
  const path = `/nfts?add=1&chain=POLYGON&address=${address}`
  const { page, misdeeds } = await openDashboard(browser, { url: first.url, apiKey, path })
  await page.getByLabel('Description').fill('All lanterns of the first season.')
  const buffer = Buffer.from(
    `name;token_id\r\n${ids.map((id) => `"Lantern; ${id}";${id}`).join('\r\n')}`,
  )
  await page.setInputFiles('input[type=file]', { name: 'all.csv', mimeType: 'text/csv', buffer })
  await page.click('button:has-text("Add 100,000 NFTs")')
  await page.waitForSelector('text=7,500 of 100,000 sent')
  await first.stack.close()
  await page.waitForSelector('text=It goes on by itself in')
  const { port } = new URL(first.url)
  const second = await startDashboard({ DATA_DIR: folder, PORT: port })
  await page.waitForSelector('text=100,000 NFTs were added.', {
    timeout: 300_000,
  })
  const pages = await allowedPages(second.call, apiKey)
  expect(pages.flat().map(({ tokenId }) => tokenId)).toEqual(ids)
  // The browser logs the refused connections.
  misdeeds.errors = misdeeds.errors.filter((message) => !message.includes('net::ERR_CONNECTION'))
}, 400_000)
