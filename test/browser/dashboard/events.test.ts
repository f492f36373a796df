import { describe, expect, test } from 'vitest'
import type { BrowserPage } from '../chromium/browser.ts'
import { answering, gear, useDashboard } from './dashboard-page.ts'

const { service, product, connect, open } = useDashboard()

async function makeChanges() {
  const { json } = await service.call('POST /product/keys', {
    ...product,
    body: { label: 'Game servers', scope: 'READ' },
  })
  await connect('1..24')
  await service.call('DELETE /product/tokens', {
    ...product,
    query: { contractAddress: gear.address, chain: 'POLYGON', tokens: ['7', '5..6'] },
  })
  const path = { keyId: json.data.keyId }
  await service.call('POST /product/keys/{keyId}/rotate', { ...product, path, body: {} })
}

/** The first event of the product. */
const registration = async () => (await service.call('GET /product/events', product)).json.data[0]

const sentences = (page: BrowserPage) => page.locator('.event-sentence').allInnerTexts()

const scrollToEnd = (page: BrowserPage) =>
  page.evaluate(() => scrollTo(0, document.body.scrollHeight))

/** Expects the first event of a product at the end of its list, which grows while the page is scrolled. */
const expectRegistrationAtEnd = (page: BrowserPage) =>
  expect
    .poll(async () => {
      await scrollToEnd(page)
      return await sentences(page)
    })
    .toContain('Registered the game')

describe('Events', () => {
  test('are sentences, newest first, each of which opens with everything about it', async () => {
    await makeChanges()
    const { page, expectGoodLayout } = await open('/events')
    const name = String.raw`“Game servers” \(…\w{4}\)`
    const expected = [
      expect.stringMatching(`^Replaced the key ${name} with ${name}$`),
      'Removed 1 NFT and the range 5..6',
      'Added the range 1..24',
      expect.stringMatching(`^Created the key ${name}$`),
      'Registered the game',
    ]
    await expect.poll(() => sentences(page)).toEqual(expected)
    await expectGoodLayout('events')
    expect(await page.locator('.event-facts').first().innerText()).toMatch(/just now|minute.* ago/)
    await page.getByRole('button', { name: 'Added the range 1..24' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.innerText()).toMatch(/UTC, just now|UTC, .* ago/)
    expect(await dialog.innerText()).toContain('Done: the change is complete.')
    await expectGoodLayout('event')
    const link = await dialog.getByRole('link').getAttribute('href')
    expect(link).toBe(`/nfts/POLYGON/${gear.address}`)
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    expect(await page.getByLabel('Action').isVisible()).toBe(false)
    await page.getByText('Filter', { exact: true }).click()
    await page.getByLabel('Action').selectOption('registerProduct')
    await expect.poll(() => sentences(page)).toEqual(['Registered the game'])
  })

  test('are filtered; the filter is a part of the address, and Back returns to the last one', async () => {
    await makeChanges()
    const { page, expectGoodLayout } = await open('/events?contract=0x22D518')
    await expect.poll(() => sentences(page)).toHaveLength(2)
    await page.getByLabel('Action').selectOption('allowlistNfts')
    await expect.poll(() => sentences(page)).toEqual(['Added the range 1..24'])
    expect(new URL(page.url()).search).toBe('?contract=0x22D518&action=allowlistNfts')
    await page.goBack()
    await expect.poll(() => sentences(page)).toHaveLength(2)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => sentences(page)).toHaveLength(5)
    await page.getByLabel('From').fill('2099-01-01')
    await page.getByRole('heading', { name: 'No such events' }).waitFor()
    await expectGoodLayout('events-none')
  })

  test('a list of several pages is read as one scrolls, and a failure keeps what is shown', async () => {
    const cursors: (string | null)[] = []
    let fails = true
    for (let index = 0; index < 250; index += 1) {
      await service.call('PATCH /product', { ...product, body: { name: `Lamps ${index}` } })
    }
    const { page } = await open('/events', {
      prepare: answering('**/product/events?*', async (route) => {
        const cursor = new URL(route.request().url()).searchParams.get('cursor')
        cursors.push(cursor)
        if (cursor === null || !fails) return await route.continue()
        await route.fulfill({ status: 403, json: { message: 'Forbidden' } })
      }),
    })
    const items = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
    await items.first().waitFor()
    expect(cursors.filter((cursor) => cursor !== null).length).toBeLessThan(2)
    await scrollToEnd(page)
    await page.getByRole('alert').waitFor()
    expect((await sentences(page)).length).toBeGreaterThan(0)
    fails = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectRegistrationAtEnd(page)
    expect(await items.first().getAttribute('aria-setsize')).toBe('251')
    expect(await items.count()).toBeLessThan(60)
    expect(new Set(cursors).size).toBe(3)
  })

  test('a search stops after some pages without a result, until one goes on', async () => {
    let pages = 0
    const event = await registration()
    const { page, expectGoodLayout } = await open('/events?outcome=failed', {
      prepare: answering('**/product/events?*', async (route) => {
        pages += 1
        await route.fulfill({ json: eventPage(event, pages, pages === 8) })
      }),
    })
    await page.getByRole('button', { name: 'Search older events' }).waitFor()
    expect(pages).toBe(5)
    await expectGoodLayout('events-paused')
    await page.getByRole('button', { name: 'Search older events' }).click()
    await page.getByRole('heading', { name: 'No such events' }).waitFor()
    expect(pages).toBe(8)
  })

  test('a change that the service made by itself is not one of the operator', async () => {
    const webhookId = 'wh_5hXgD1iY9f5jonNaBo4L8K'
    const paused = { ...(await registration()), action: 'pauseWebhook', keyId: null, webhookId }
    const { page } = await open('/events', {
      prepare: answering('**/product/events?*', (route) =>
        route.fulfill({ json: eventPage(paused, 1, true) }),
      ),
    })
    await page.getByText('Paused the webhook wh_5hXgD1iY9f5jonNaBo4L8K after failures').waitFor()
    expect(await page.locator('.event-facts').innerText()).toContain('The service itself')
  })
})

/** A page of the API with a change like this event, and with a cursor unless it is the last one. */
const eventPage = (event: object, page: number, isLast: boolean) => ({
  data: [
    {
      ...event,
      eventId: `019b78df-ede0-7b0d-9e21-6c0a4d5f7e${10 + page}`,
      at: new Date(Date.now() - page * 86_400_000).toISOString(),
    },
  ],
  success: true,
  ...(!isLast && { nextCursor: `page-${page}` }),
})
