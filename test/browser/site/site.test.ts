import { buildSite } from '@player-nfts/dashboard/site/build-site'
import { describe, expect, test } from 'vitest'
import { serve } from '../../support/services/http-server.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { useDashboard } from '../dashboard/dashboard-page.ts'
import { layoutFaults } from '../dashboard/layout-faults.ts'

const { open } = useDashboard()

const paths = [...(await buildSite()).keys()].filter((path) => path.endsWith('.html'))

/** The pages of each browser session, so that a failure names few of them. */
const shares = Array.from({ length: 4 }, (_, share) =>
  paths.filter((_path, index) => index % 4 === share),
)

test.each(shares.map((share) => [share[0], share] as const))(
  'every page is accessible in both themes, and scrolls sideways nowhere: %s, …',
  async (_first, share) => {
    const { page, expectAccessible } = await open('/docs/index.html')
    for (const path of share) {
      await page.goto(new URL(path, page.url()).href)
      await expectAccessible()
      await page.setViewportSize({ width: 320, height: 740 })
      expect([path, await layoutFaults(page)]).toEqual([path, []])
      await page.setViewportSize({ width: 1280, height: 800 })
    }
  },
  120_000,
)

const search = async (page: BrowserPage, words: string) => {
  await page.getByRole('button', { name: 'Search' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type(words)
}

describe('the search', () => {
  test('opens with a key, finds a section, and leads to it without a mouse', async () => {
    const { page, expectAccessible } = await open('/docs/api.html')
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await search(page, 'rotate a webhook secret')
    const dialog = page.getByRole('dialog', { name: 'Search the docs' })
    await dialog
      .getByRole('status')
      .getByText(/^\d+ results/)
      .waitFor()
    expect(loaded.filter((path) => path.endsWith('.json'))).toHaveLength(1)
    const { y = 0, height = Number.NaN } = (await dialog.boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
    expect(await dialog.getByRole('link').first().innerText()).toMatch(/^Rotate webhook secret/)
    await expectAccessible()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/reference-webhooks.html#rotate-webhook-secret')
    await page.getByRole('heading', { name: 'Rotate webhook secret' }).waitFor()
  })

  test('says that nothing was found, closes with Escape, and takes the best with Enter', async () => {
    const { page } = await open('/docs/api.html', {
      context: { viewport: { width: 320, height: 740 } },
    })
    await page.getByRole('button', { name: 'Search' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.keyboard.type('xyzzyx')
    await dialog.getByText('0 results').waitFor()
    expect(await layoutFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(false)
    await search(page, 'forget a player')
    await dialog.getByRole('link').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/changes.html#forgetting-a-player')
  })
})

test('a failure of the search is said, and the next dialog loads again', async () => {
  const { page } = await open('/docs/api.html')
  await page.route('**/search.json', (route) => route.fulfill({ status: 503, json: [] }))
  await search(page, 'chains')
  const status = page.getByRole('dialog').getByRole('status')
  await status.getByText('The index could not be loaded.').waitFor()
  await page.unroute('**/search.json')
  await page.keyboard.press('Escape')
  await search(page, 'chains')
  await status.getByText(/^\d+ results/).waitFor()
})

test('the lists are beside a wide page, also when it was narrow with an open menu', async () => {
  const { page } = await open('/docs/decisions.html')
  const pages = page.locator('#site-pages')
  const contents = page.locator('.contents details')
  const isBeside = async () => [
    await pages.evaluate((list) => getComputedStyle(list).position),
    await contents.evaluate((details) => (details as HTMLDetailsElement).open),
  ]
  expect(await isBeside()).toEqual(['sticky', true])
  expect(await pages.evaluate((list) => list.scrollTop)).toBeGreaterThan(0)
  await page.setViewportSize({ width: 500, height: 740 })
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(await isBeside()).toEqual(['fixed', false])
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(isBeside).toEqual(['sticky', true])
  expect(await pages.evaluate((list) => list.matches(':popover-open'))).toBe(false)
})

test('without scripts, pages are read and found on a telephone', async () => {
  const context = { javaScriptEnabled: false, viewport: { width: 320, height: 740 } }
  const { page } = await open('/docs', { context })
  await page.getByRole('heading', { level: 1, name: 'Player NFTs' }).waitFor()
  const pages = page.getByRole('navigation', { name: 'Pages', exact: true })
  const link = pages.getByRole('link', { name: 'Using the API' })
  expect(await link.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await link.click()
  await page.waitForURL('**/docs/api.html')
  await page.getByText('On this page').click()
  const contents = page.getByRole('navigation', { name: 'On this page' })
  await contents.getByRole('link', { name: 'Limits' }).click()
  await page.waitForURL('**/docs/api.html#limits')
  for (const name of ['Search', 'Copy']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  }
  expect(await page.getByRole('radio').count()).toBe(0)
})

test('the theme is that of the dashboard, and code is copied with one click', async () => {
  const { page } = await open('/docs/api.html')
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await background()
  await page.getByText('Dark', { exact: true }).click()
  expect(await background()).not.toBe(light)
  await page.goto(new URL('/docs/costs.html', page.url()).href)
  expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
  expect(await background()).not.toBe(light)
  await page.getByText('Auto', { exact: true }).click()
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  await page.goto(new URL('/docs/index.html', page.url()).href)
  await page.getByRole('button', { name: 'Copy code' }).first().click()
  await page.getByRole('status').getByText('Copied.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm start\n')
})

test('Tab reaches the content at once, and stops at what scrolls only', async () => {
  const { page } = await open('/docs/index.html')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe(
    'site-content',
  )
  const all = await page.locator('.scroller').count()
  await expect.poll(() => page.locator('.scroller[tabindex="0"]').count()).toBeLessThan(all)
})

/** A web server that has the site below a path, sends no header of ours, and has no other file. */
async function publish(base: string): Promise<string> {
  const files = await buildSite({ repository: 'owner/name', hasOwnPolicy: true })
  return await serve(({ url = '' }, response) => {
    const path = decodeURIComponent(url).replace(base, '/docs/')
    const file = url.startsWith(base) ? files.get(path) : undefined
    response.writeHead(file ? 200 : 404, { 'content-type': file?.contentType ?? 'text/plain' })
    response.end(file?.body)
  })
}

test('the published site works below a path, with the policy of its pages, which protects them', async () => {
  const url = await publish('/player-nfts/')
  const { page, misdeeds } = await open('/player-nfts/index.html', { url, apiKey: undefined })
  const pictures = page.locator('article img')
  expect(await pictures.count()).toBeGreaterThan(2)
  for (const picture of await pictures.all()) {
    await picture.evaluate((image: HTMLImageElement) => {
      image.loading = 'eager'
    })
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
  }
  await search(page, 'forget a player')
  await page.getByRole('dialog').getByRole('link').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/player-nfts\/[a-z-]+\.html#/)
  await page.getByText('Dark', { exact: true }).click()
  expect(misdeeds).toEqual({ errors: [], elsewhere: [] })
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.append('window.ran = 1')
    document.body.append(script)
  })
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  expect(misdeeds.errors.splice(0).join()).toContain("requires 'TrustedScript'")
})
