import { describe, expect, test } from 'vitest'
import { keyIn, keysOf } from '../../support/requests/keys.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { signInWith, startDashboard, useDashboard } from './dashboard-page.ts'

const { service, product, open, openBehind } = useDashboard()

const nobody = { apiKey: undefined }

const keyInStorage = (page: BrowserPage) =>
  page.evaluate(() => [sessionStorage.getItem('player-nfts.api-key'), localStorage.length])

describe('Sign in', () => {
  test('shows the way of a newcomer first, with equal gaps and one line above, on a phone', async () => {
    const local = await startDashboard({}, product)
    const { page, expectAccessible } = await open('/', {
      ...{ url: local.url, ...nobody },
      context: { viewport: { width: 320, height: 740 } },
    })
    await page.getByRole('button', { name: 'Open the sample game' }).waitFor()
    expect(await page.locator('.sign-in h2').allInnerTexts()).toEqual([
      'Just looking around?',
      'Register your game',
      'Sign in with an API key',
    ])
    const header = await page.locator('header.layout-side').boundingBox()
    expect(header?.height).toBeLessThanOrEqual(64)
    const gaps = await page.locator('.sign-in .card h2').evaluateAll((headings) =>
      headings.map((heading) => {
        const top = heading.nextElementSibling?.getBoundingClientRect().top ?? 0
        return Math.round(top - heading.getBoundingClientRect().bottom)
      }),
    )
    expect(new Set(gaps)).toEqual(new Set([12]))
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Docs' }).waitFor()
    await expectAccessible()
  })

  test('D62: leads to the page that was asked for, and keeps the key in this tab only', async () => {
    const { apiKey } = product
    const { page, expectGoodLayout } = await open('/keys?from=a-link', nobody)
    await page.getByLabel('API key', { exact: true }).fill(` ${apiKey} `)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/keys?from=a-link')
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    expect(await keyInStorage(page)).toEqual([apiKey, 0])
    await page.reload()
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You have signed out.').waitFor()
    await expectGoodLayout('signed-out')
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(await keyInStorage(page)).toEqual([null, 0])
  })

  test.each([
    ['what is no key', async () => 'open sesame', 'This is not an API key.'],
    ['an unknown key', async () => crypto.randomUUID(), 'The service does not know this key'],
    [
      'a key that can only read',
      async () =>
        keyIn(await keysOf(service.call, product.apiKey).create({ scope: 'READ' })).apiKey,
      'This key has the scope READ',
    ],
  ])('says why it does not accept %s, and keeps what was typed', async (_, makeKey, message) => {
    const { page, expectGoodLayout } = await open('/sign-in', nobody)
    const apiKey = await makeKey()
    await signInWith(page, apiKey)
    await page.getByText(message).waitFor()
    await page.getByRole('button', { name: 'Register' }).click()
    await expectGoodLayout('sign-in-faults')
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe(apiKey)
    expect(await keyInStorage(page)).toEqual([null, 0])
  })

  test('is not where someone stays who is signed in', async () => {
    const { page } = await open('/sign-in?to=/usage')
    await page.waitForURL(`${service.url}/usage`)
    await page.goto(`${service.url}/sign-in`)
    await page.waitForURL(`${service.url}/nfts`)
  })
})

describe('Register', () => {
  const game = 'Tide Crates'

  const fill = async (page: BrowserPage) => {
    await page.getByLabel('Name of the game').fill(game)
    await page.getByLabel('Company', { exact: true }).fill('Gull Harbour Games')
    await page.getByLabel('Contact e-mail').fill('studio@example.com')
  }

  test('D79: is where the dashboard begins, shows the new key until it is saved, also after a reload, and then goes on', async () => {
    const { page, expectGoodLayout } = await open('/', nobody)
    await page.waitForURL('**/sign-in')
    await fill(page)
    expect(await page.title()).toBe('Sign in or register · Player NFTs')
    expect(await page.getByText('sample').count()).toBe(0)
    await page.getByLabel('Website').fill('https://crates.example')
    await page.getByRole('button', { name: 'Register' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your API key' })
    await dialog.waitFor()
    const apiKey = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByText('create a key with the scope Read').waitFor()
    await expectGoodLayout('registered')
    for (const _ of ['Escape', 'twice', 'and again']) await page.keyboard.press('Escape')
    expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await page.reload()
    await page.waitForURL('**/nfts')
    expect(await dialog.locator('code').textContent()).toBe(apiKey)
    await dialog.getByRole('button', { name: 'Copy the API key' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(apiKey)
    await dialog.getByLabel('I have saved the key.').check()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/nfts')
    expect(await page.locator('h1:focus').textContent()).toBe('NFTs')
    const { json } = await service.call('GET /product', { apiKey })
    expect(json.data).toMatchObject({ name: game, website: 'https://crates.example' })
    expect(json.data).not.toHaveProperty('description')
    expect(await page.content()).not.toContain(apiKey)
  })

  test('loses nothing that was typed, through a failed call and a reload', async () => {
    const { page } = await openBehind(
      {
        onRequest: ({ action }) =>
          action === 'POST /api/public/v1/product'
            ? { status: 503, body: { code: 'service_unavailable', detail: 'Later.' } }
            : undefined,
      },
      '/sign-in',
      nobody,
    )
    await fill(page)
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('The service cannot answer at the moment.').waitFor()
    await page.reload()
    expect(await page.getByLabel('Name of the game').inputValue()).toBe(game)
  })
})
