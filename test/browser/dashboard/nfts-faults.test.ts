import { describe, expect, test } from 'vitest'
import type { BrowserPage } from '../chromium/browser.ts'
import { gearPage as contractPage, gear, useDashboard } from './dashboard-page.ts'
import { inEachWindow, layoutFaults } from './layout-faults.ts'

const { chain, address } = gear
const reading = 'GET /api/public/v1/product/nfts'
const refreshing = 'POST /api/public/v1/tokens/refresh'

const { connect, openBehind } = useDashboard()

/** Changes what the page gets from an operation. */
const changing = (operation: string, change: (json: { data: Json }) => void) => ({
  onResponse({ action }: { action: string }, { body }: { body: unknown }) {
    if (action !== operation) return undefined
    const json = JSON.parse(String(body))
    change(json)
    return { status: 200, body: json }
  },
})

// biome-ignore lint/suspicious/noExplicitAny: the data of any operation
type Json = any

/** Lets the NFTs of the list have other pictures. */
const withPictures = (pictureOf: (tokenId: string) => string) =>
  changing(reading, ({ data }) => {
    for (const { tokenId, formattedMetadata } of data) {
      formattedMetadata.image = pictureOf(tokenId)
    }
  })

const pictureOf = (length: number): string => {
  const [begin, end] = [
    'data:image/svg+xml,',
    encodeURIComponent(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><desc>*</desc></svg>',
    ),
  ]
  return begin + end.replace('*', 'a'.repeat(length - begin.length - end.length + 1))
}

const decoded = (page: BrowserPage) =>
  page
    .locator('main img, dialog img')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))

describe('Pictures', () => {
  test('of other hosts are loaded only after a click that names the host', async () => {
    await connect('1', '2')
    const pictures = withPictures((tokenId) => `https://images.example/${tokenId}.svg`)
    const { page, misdeeds } = await openBehind(pictures, contractPage)
    const requests: string[] = []
    await page.route('https://images.example/**', async (route) => {
      requests.push(`${route.request().url()} ${route.request().headers()['referer']}`)
      const body = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
      await route.fulfill({ contentType: 'image/svg+xml', body })
    })
    await page.waitForSelector('.nft-picture-button')
    expect({ requests, elsewhere: misdeeds.elsewhere }).toEqual({ requests: [], elsewhere: [] })
    await page.click('.nft-picture-button:has-text("images.example") >> nth=0')
    await expect
      .poll(() => requests.sort())
      .toEqual(['https://images.example/1.svg undefined', 'https://images.example/2.svg undefined'])
    misdeeds.elsewhere.length = 0
  })

  test.each(['', '?view=list'])(
    'D79: of more than 100 KB inside the metadata are decoded after a click: %s',
    async (query) => {
      await connect('1', '2', '3')
      const pictures = withPictures((id) =>
        pictureOf([100_000, 100_001, 900_000][Number(id) - 1] ?? 0),
      )
      const { page, expectAccessible } = await openBehind(pictures, contractPage + query)
      await expect.poll(() => decoded(page)).toEqual([9])
      const [small, large] = ['101 KB', '900 KB'].map((size) =>
        page.getByRole('button', { name: `Show picture (${size})` }),
      )
      await large?.waitFor()
      const look = async () => expect(await layoutFaults(page)).toEqual([])
      await inEachWindow(page, [320, 1280], look)
      await expectAccessible()
      await small?.press('Enter')
      await expect.poll(() => decoded(page)).toEqual([9, 9])
      // The page of the NFT does not ask again.
      await page.getByRole('link', { name: /, 2$/ }).click()
      await expect.poll(() => decoded(page)).toEqual([9, 9, 9])
    },
  )
})

describe('Refreshing', () => {
  test('shows what has changed side by side, and what failed', async () => {
    await connect('1', '2', '7')
    let isChanged = false
    const about = { address, chain, metadataLink: '' }
    const refreshed = changing(refreshing, ({ data }) => {
      isChanged = true
      const tokens = [{ ...about, tokenId: '2', rawMetadata: { name: 'New' } }]
      const failures = [{ ...about, tokenId: '7', reason: 'not_available' }]
      Object.assign(data, { changed: 1, failed: 1, tokens, failures })
    })
    const read = changing(reading, ({ data }) => {
      if (!isChanged) return
      data[1].formattedMetadata.name = 'A new name'
      data[1].formattedMetadata.attributes[0].value = 'Another maker'
    })
    const { page, expectGoodLayout } = await openBehind(
      { onResponse: (...call) => refreshed.onResponse(...call) ?? read.onResponse(...call) },
      contractPage,
    )
    await page.waitForSelector('.nft-card')
    await page.click('text=Refresh…')
    await expectGoodLayout('refresh')
    await page.click('button:has-text("Refresh now")')
    await page.waitForSelector('.changes')
    await expectGoodLayout('refreshed')
    const counts = await page.locator('.counts').innerText()
    expect(counts.split(/\s+/).join(' ')).toBe('Checked 3 Changed 1 Failed 1 Pending 0')
    expect(await page.locator('.changes tbody tr').allInnerTexts()).toEqual([
      'Name\tBellfounder’s Hammer of Candle Row\tA new name',
      'maker\tCandle Row\tAnother maker',
    ])
    expect(await page.locator('dialog').innerText()).toContain(
      '7: the source does not answer with metadata',
    )
    await page.click('dialog button:has-text("Close") >> nth=-1')
    await page.waitForSelector('.nft-name:has-text("A new name")')
  })

  test('says when the contract was refreshed before', async () => {
    await connect('1')
    const earlier = changing(refreshing, ({ data }) => {
      data.refreshedAt = new Date(Date.now() - 300_000).toISOString()
    })
    const { page } = await openBehind(earlier, contractPage)
    await page.click('text=Refresh…')
    await page.click('button:has-text("Refresh now")')
    await page.waitForSelector('text=This contract was refreshed less than 15 minutes ago.')
  })
})
