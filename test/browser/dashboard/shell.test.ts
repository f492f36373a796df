import { describe, expect, test } from 'vitest'
import type { BrowserPage } from '../chromium/browser.ts'
import { useDashboard } from './dashboard-page.ts'

const { service, open } = useDashboard()

const heading = (page: BrowserPage, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const focused = (page: BrowserPage) => page.evaluate(() => document.activeElement?.textContent)

describe('the navigation', () => {
  test('moves between pages without loading, and Back works', async () => {
    const { page } = await open('/')
    await page.waitForURL('**/nfts')
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await page.getByRole('link', { name: 'Keys' }).click()
    await heading(page, 'Keys')
    await expect.poll(() => focused(page)).toBe('Keys')
    expect(await page.title()).toBe('Keys · Player NFTs')
    expect(await page.locator('[aria-current=page]').allTextContents()).toEqual(['Keys'])
    await page.getByRole('link', { name: 'Game', exact: true }).click()
    await heading(page, 'Game')
    await page.goBack()
    await heading(page, 'Keys')
    await page.goForward()
    await heading(page, 'Game')
    await expect.poll(() => focused(page)).toBe('Game')
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    await page.getByRole('link', { name: 'Docs' }).click()
    await page.waitForURL('**/docs/index.html')
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.waitForURL('**/nfts')
  })

  test('begins with a link that skips it', async () => {
    const { page } = await open('/keys')
    await page.getByText('Registration').waitFor()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Create a key')
  })

  test('is a menu on a narrow screen, which a navigation closes', async () => {
    const { page, expectAccessible } = await open('/keys', {
      context: { viewport: { width: 320, height: 800 } },
    })
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.click()
    expect(await menu.getAttribute('aria-expanded')).toBe('true')
    await expectAccessible()
    await page.getByRole('link', { name: 'Usage' }).click()
    await heading(page, 'Usage')
    expect(await menu.getAttribute('aria-expanded')).toBe('false')
    expect(await page.getByRole('link', { name: 'Usage' }).isVisible()).toBe(false)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(overflow).toBeLessThanOrEqual(320)
  })

  test('shows a page that does not exist as such', async () => {
    const { page, expectAccessible } = await open('/keys')
    await page.getByText('Registration').waitFor()
    await page.evaluate(() => {
      history.pushState(null, '', '/nothing')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await heading(page, 'Page not found')
    await expectAccessible()
    await page.getByRole('link', { name: 'Go to the start page' }).click()
    await page.waitForURL('**/nfts')
  })
})

test('the theme can be chosen, lasts, and is there before the first paint', async () => {
  const { page, misdeeds } = await open('/keys')
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await background()
  await page.getByText('Dark', { exact: true }).click()
  const dark = await background()
  expect(dark).not.toBe(light)
  await page.route('**/assets/main-*', (route) => route.abort())
  await page.goto(`${service.url}/usage`, { waitUntil: 'commit' })
  await expect.poll(background).toBe(dark)
  await page.unroute('**/assets/main-*')
  await page.reload()
  await page.getByText('Auto', { exact: true }).click()
  expect(await background()).toBe(light)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  misdeeds.errors = []
})

describe('a failed call', () => {
  test('says what to do, waits as long as the API asks for, and can be repeated', async () => {
    const { page } = await open('/product')
    await heading(page, 'Game')
    let failures = 0
    await page.route('**/product/keys', async (route) => {
      failures += 1
      if (failures > 1) return await route.continue()
      await route.fulfill({
        status: 429,
        headers: { 'retry-after': '130' },
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'rate_limited', detail: 'Wait.', requestId: 'request-1' }),
      })
    })
    await page.clock.install()
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByText('Too many requests for now.').waitFor()
    await page.getByText('Request request-1').waitFor()
    const link = page.getByRole('link', { name: 'What rate_limited means' })
    expect(await link.getAttribute('href')).toBe('/docs/reference-problems.html#rate_limited')
    await page.getByRole('button', { name: /^Try again in 1[23]\d s$/ }).click({ force: true })
    await page.clock.fastForward(131_000)
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await page.getByText('Registration').waitFor()
    expect(failures).toBe(2)
    await page.clock.resume()
  })

  test('without a network says so in the words of the dashboard', async () => {
    const { page, misdeeds } = await open('/keys')
    await page.getByText('Registration').waitFor()
    await page.getByRole('link', { name: 'Game', exact: true }).click()
    await heading(page, 'Game')
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Keys' }).click()
    const alert = page.getByRole('alert')
    expect(await alert.innerText()).toContain('Your device is offline.')
    expect(await alert.innerText()).not.toContain('baseUrl')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Registration').waitFor()
    misdeeds.errors = []
  })

  test('of the code of a page can be repeated', async () => {
    const { page, misdeeds } = await open('/product')
    await heading(page, 'Game')
    await page.route('**/assets/keys-view-*', (route) => route.abort())
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute('**/assets/keys-view-*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading(page, 'Keys')
    misdeeds.errors = []
  })
})

test('D62: injected markup can run nothing', async () => {
  const { page, misdeeds } = await open('/keys')
  await heading(page, 'Keys')
  const accepted = await page.evaluate(async () => {
    const script = document.createElement('script')
    const ways: Record<string, () => unknown> = {
      markup: () => {
        document.body.innerHTML = '<img src="data:," onerror="window.ran = 1">'
      },
      handler: () => document.body.setAttribute('onclick', 'window.ran = 1'),
      script: () => {
        script.text = 'window.ran = 1'
      },
      address: () => {
        script.src = 'data:text/javascript,window.ran=1'
      },
      frame: () => {
        document.createElement('iframe').srcdoc = '<script>parent.ran = 1</script>'
      },
    }
    return Object.keys(ways).filter((name) => {
      try {
        ways[name]?.()
        return true
      } catch {
        return false
      }
    })
  })
  expect(accepted).toEqual([])
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  expect(misdeeds.errors).toHaveLength(5)
  misdeeds.errors = []
})
