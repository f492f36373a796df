import { describe, expect, test } from 'vitest'
import type { BrowserPage } from '../chromium/browser.ts'
import { inEachWindow, useDashboard } from './dashboard-page.ts'
import { giveWebhooks, manyWebhooks, withoutWebhooks } from './webhook-states.ts'

const { open } = useDashboard()

const row = (page: BrowserPage, url: string) =>
  page.getByRole('listitem').filter({ hasText: url }).first()

describe('Webhooks: what the page says', () => {
  test('says everything about each state, also of later versions', async () => {
    const { page } = await open('/webhooks', {
      prepare: giveWebhooks(manyWebhooks),
    })
    await page.getByText('Events are missing on BSC, ETHEREUM.').waitFor()
    await page.getByText('Your game has too many contracts for events.').waitFor()
    const failing = await row(page, '/failing').innerText()
    expect(failing).toMatch(/Failed attempts\s3, the next in 25 minutes/)
    expect(failing).toMatch(/Pending\s12 minutes behind/)
    expect(failing).toContain(
      'The server answered with the status 500 in place of 200. 5 minutes ago',
    )
    expect(await row(page, '/paused').innerText()).toContain('The host of the URL was not found.')
    const later = await row(page, '/of_a_later_version').innerText()
    expect(later).toContain('failure_of_a_later_version')
    expect(later).toContain('nft.of_a_later_version')
    await row(page, '/failing').getByRole('button', { name: 'Try now' }).waitFor()
  })

  test('each menu opens inside the window', async () => {
    const { page } = await open('/webhooks', { prepare: giveWebhooks(manyWebhooks) })
    await page.locator('.webhook').first().waitFor()
    const cut: string[] = []
    await inEachWindow(
      page,
      [320, 360, 768, 1280],
      async (width) => {
        for (const menu of await page.locator('.menu').all()) {
          await menu.locator('summary').click()
          const box = await menu.locator('.menu-items').boundingBox()
          if (!box || box.x < 0 || box.x + box.width > width) cut.push(`${width}: ${box?.x}`)
          await page.keyboard.press('Escape')
        }
      },
      ['light'],
    )
    expect(cut).toEqual([])
  })

  test('a deployment without webhooks says so', async () => {
    const { page } = await open('/webhooks', { prepare: withoutWebhooks })
    await page.getByText('This deployment of the service has no webhooks.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0)
  })
})
