import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { operationIds } from '../../functions/operations.ts'
import { cors } from '../../lib/contract/cors.ts'
import { startApiGateway } from '../../local/api-gateway/api-gateway.ts'
import { referencePage } from '../../local/pages/pages.ts'
import { openApiText } from '../../openapi/openapi-document.ts'
import { launchBrowser } from './chromium/browser.ts'

let browser: Awaited<ReturnType<typeof launchBrowser>>
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

test('the local API reference shows every operation and loads nothing from other hosts', async () => {
  const gateway = await startApiGateway({
    port: 0,
    routes: [{ method: 'GET', path: '/api/public/v1/openapi.json', functionName: 'openapi' }],
    invoke: async () => ({ ok: true, payload: openApiText() }),
    cors,
    page: ({ path }) => referencePage(path),
  })
  onTestFinished(() => gateway.close())
  const page = await browser.newPage({ viewport: { width: 1200, height: 1600 } })
  onTestFinished(() => page.close())
  const elsewhere: string[] = []
  const messages: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(gateway.url) && !url.startsWith('data:')) elsewhere.push(url)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') messages.push(message.text())
  })
  page.on('pageerror', (error) => messages.push(error.message))
  await page.goto(`${gateway.url}/docs`)
  await page.waitForSelector('.opblock')
  expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(operationIds.length)
  await page.click('.opblock-summary >> nth=0')
  await page.waitForSelector('.opblock-body')
  const { SCREENSHOT } = process.env
  if (SCREENSHOT) await page.screenshot({ path: SCREENSHOT })
  expect({ elsewhere, messages }).toEqual({ elsewhere: [], messages: [] })
})
