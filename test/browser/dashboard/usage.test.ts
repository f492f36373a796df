import { describe, expect, test } from 'vitest'
import type { DailyUsage } from '../../../clients/typescript/src/types.ts'
import { answering, gear, useDashboard } from './dashboard-page.ts'

const { service, product, connect, open } = useDashboard({
  USAGE_DELAY_SECONDS: '0',
  INDEXER_CALLS_PER_PRODUCT_AND_DAY: '520',
  NFTS_PER_PRODUCT: '3',
})

/** A day of the usage that is this number of days ago. */
function dayOf(ago: number, changes: Partial<DailyUsage> = {}): DailyUsage {
  const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  return {
    day,
    calls: [],
    indexerCalls: 0,
    players: 0,
    playersEstimated: false,
    limited: [],
    ...changes,
  }
}

/** Lets the page see this usage in place of the service's, because a service has no usage of days before its start. */
const giveUsage = (usage: (days: number) => DailyUsage[]) =>
  answering('**/api/public/v1/product/usage?*', async (route) => {
    const days = Number(new URL(route.request().url()).searchParams.get('days'))
    await route.fulfill({ json: { data: usage(days), success: true } })
  })

/** Days with calls, refusals and failures, of which a service has so many only after weeks. */
const busyDays = (days: number) =>
  Array.from({ length: days }, (_, ago) =>
    dayOf(ago, {
      calls: [
        { operation: 'getStructuredMetadata', outcome: 'success', count: 2_400 - ago * 20 },
        { operation: 'getStructuredMetadata', outcome: 'rate_limited', count: 12 * (ago % 5) },
        { operation: 'getRawMetadata', outcome: 'indexer_unavailable', count: ago % 7 ? 0 : 80 },
      ],
      indexerCalls: 430 + (ago % 9) * 10,
      players: 412 - ago,
      playersEstimated: ago < 3,
      limited: [{ limit: 'indexer_calls_by_day', count: 12 * (ago % 5) }],
    }),
  )

describe('Usage', () => {
  test('without calls says what will appear, and lists the limits', async () => {
    const { page } = await open('/usage', {
      prepare: giveUsage((days) => Array.from({ length: days }, (_, ago) => dayOf(ago))),
    })
    await page.getByRole('heading', { name: 'No calls in these days' }).waitFor()
    const limits = page.getByRole('table').getByRole('row')
    await expect
      .poll(() => limits.allInnerTexts())
      .toEqual([
        expect.stringContaining('Limit'),
        expect.stringMatching(/indexer_calls_by_day\s+520 a day\s+0/),
        expect.stringMatching(/nfts\s+3 in all\s+0/),
      ])
  })

  test('shows the calls that were made and those that a limit refused', async () => {
    await connect('1', '2', '3')
    const body = {
      contractAddress: gear.address,
      contractDescription: 'Equipment of the keepers.',
      tokens: ['4'],
    }
    // A function writes the counts of a call with the next one.
    for (let call = 0; call < 2; call += 1) {
      await service.call('POST /product/tokens', { ...product, body })
    }
    const { page } = await open('/usage?days=7', { ...product })
    const calls = page.getByRole('region', { name: 'Calls', exact: true })
    await calls.waitFor()
    expect(await calls.innerText()).toContain('2 calls in 7 days')
    const rows = page.getByRole('region', { name: 'Calls by operation' }).getByRole('row')
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringContaining('Operation'),
      expect.stringMatching(/Allowlist contract and NFTs\s+rate_limited\s+1/),
      expect.stringMatching(/Allowlist contract and NFTs\s+success\s+1/),
    ])
    const limits = page.getByRole('region', { name: 'Limits' })
    expect(await limits.innerText()).toMatch(/nfts\s+3 in all\s+1/)
  })

  test('says which days of the sample game are sample data', async () => {
    const sample = { sampleApiKey: product.apiKey, sampleUsageUntil: '2026-11-25' }
    const { page } = await open('/usage', {
      ...product,
      prepare: answering('**/config.json', async (route) => {
        const config = await (await route.fetch()).json()
        await route.fulfill({ json: { ...config, ...sample } })
      }),
    })
    await page.getByText('The days up to 25 Nov 2026 are sample data.').waitFor()
  })

  test('draws each day, and goes from day to day with the keyboard', async () => {
    const { page, expectGoodLayout } = await open('/usage', { prepare: giveUsage(busyDays) })
    const calls = page.getByRole('region', { name: 'Calls', exact: true })
    await calls.locator('.chart-bar').first().waitFor()
    expect(await calls.locator('.chart-bar').count()).toBe(30)
    await expectGoodLayout('usage')
    const heights = (part: string) =>
      calls
        .locator(`.chart-part${part}`)
        .evaluateAll((parts: HTMLElement[]) => parts.map(({ offsetHeight }) => offsetHeight))
    // Twelve calls among thousands are seen, and none are not.
    expect(await heights('.is-refused')).toHaveLength(24)
    expect(Math.min(...(await heights('.is-refused')))).toBe(2)
    expect(Math.max(...(await heights('.is-succeeded')))).toBe(128)
    const [bottom, top] = await calls
      .locator('.chart-bar:nth-last-child(1 of .chart-bar) .chart-part')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top))
    expect(bottom).toBeGreaterThan(top ?? 0)
    const indexerCalls = page.getByRole('region', { name: 'Indexer calls' })
    expect(await indexerCalls.locator('.chart-limit').innerHTML()).toContain('Limit of a day: 520')
    const day = calls.getByRole('slider')
    await day.focus()
    expect(await day.getAttribute('aria-valuetext')).toMatch(
      /: 2,480 calls \(2,400 succeeded, 80 failed\)$/,
    )
    await page.keyboard.press('ArrowLeft')
    const yesterday = /: 2,392 calls \(2,380 succeeded, 12 refused\)$/
    expect(await day.getAttribute('aria-valuetext')).toMatch(yesterday)
    expect(await calls.locator('.chart-readout').innerText()).toMatch(yesterday)
    await page.keyboard.press('Home')
    expect(await day.getAttribute('aria-valuenow')).toBe('0')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  })

  test('has the numbers of each chart as a table, for a range that is a part of the address', async () => {
    const { page, expectGoodLayout } = await open('/usage?days=7', { prepare: giveUsage(busyDays) })
    const players = page.getByRole('region', { name: 'Players' })
    await players.getByText('Table').click()
    const rows = players.getByRole('row')
    await expect.poll(() => rows.count()).toBe(8)
    expect(await rows.nth(1).innerText()).toMatch(/about 412/)
    expect(await rows.nth(4).innerText()).not.toMatch(/about/)
    await expectGoodLayout('usage-table')
    await page.getByText('90 days', { exact: true }).click()
    await page.waitForURL(`${service.url}/usage?days=90`)
    await players.getByText('Table').click()
    await expect.poll(() => rows.count()).toBe(91)
    await page.goBack()
    await players.getByText('Table').click()
    await expect.poll(() => rows.count()).toBe(8)
  })
})
