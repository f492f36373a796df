import { describe, expect, test } from 'vitest'
import { serve } from '../../support/services/http-server.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { chooseWallet, useConnect } from './connect-page.ts'

const { open, enter, calls, askingGame, service } = useConnect()

const button = (page: BrowserPage, name: string) => page.getByRole('button', { name, exact: true })

async function approve(page: BrowserPage) {
  await page.getByLabel('My game shows this code now.').check()
  await button(page, 'Yes, give access').click()
}

async function poll({ productId, device_code }: { productId: string; device_code: string }) {
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
  const { json } = await calls().askForToken({
    ...{ grant_type: grantType, client_id: productId, device_code },
  })
  return json.error ?? 'a player token'
}

/** Opens the link that a game shows, and signs in. */
async function openLink(link: string) {
  const opened = await enter({ query: new URL(link).search })
  await opened.page.getByRole('heading', { name: 'Give Ember access?' }).waitFor()
  return opened
}

describe('D114: a code of a game', () => {
  test('leads from the link of the game to its access, if both are in one network', async () => {
    const game = await askingGame()
    expect(game.verification_uri).toBe(`${service.url}/connect`)
    const { page, expectGoodLayout } = await openLink(game.verification_uri_complete)
    expect(new URL(page.url()).search).toBe('')
    const facts = await page.locator('.facts').innerText()
    expect(facts.split('\n').filter(Boolean)).toEqual([
      ...['Game', 'Ember', 'Company', 'Kiln', 'Code', game.user_code],
      ...['Asked', 'just now, from your network'],
    ])
    await page.getByRole('heading', { name: 'For 30 days, this game can see' }).waitFor()
    expect(await button(page, 'Yes, give access').isDisabled()).toBe(true)
    await expectGoodLayout('connect-same-network')
    await approve(page)
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    await page.getByText('Ember has access. Go back to the game', { exact: false }).waitFor()
    await expectGoodLayout('connect-approved')
    expect(await poll(game)).toBe('a player token')
    await button(page, 'To my wallets and games').click()
    await button(page, 'End access Ember').waitFor()
  })

  test('is not shown if the game has asked from another network: the player types its end', async () => {
    const game = await askingGame({ isSameNetwork: false })
    const { page, expectGoodLayout } = await openLink(game.verification_uri_complete)
    await page.getByText('Are you in front of this game?').waitFor()
    const facts = await page.locator('.facts').innerText()
    expect(facts).toContain('just now, from another network, or by a web page')
    const [, lastFour = ''] = game.user_code.split('-')
    expect(await page.content()).not.toContain(lastFour)
    expect(page.url()).not.toContain(lastFour)
    const field = page.getByLabel('The last four letters of the code in your game')
    for (const [wrong, text] of [
      ['', 'Enter the four letters'],
      [lastFour.slice(1), 'Your game shows another code.'],
      ['AAAA', 'Your game shows another code.'],
    ] as const) {
      await field.fill(wrong)
      await button(page, 'Yes, give access').click()
      await page.getByText(text, { exact: false }).waitFor()
    }
    await expectGoodLayout('connect-other-network')
    expect(await poll(game)).toBe('authorization_pending')
    await field.fill(` ${lastFour.toLowerCase()}`)
    await button(page, 'Yes, give access').click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
  })

  test('D131: that another web page has asked for in the browser of the player is not shown', async () => {
    const { productId } = await askingGame()
    const stranger = await serve((_, response) => response.end('<!doctype html>'))
    const { page, misdeeds } = await open()
    await page.goto(stranger)
    const code = await page.evaluate(
      async ([to = '', client = '']) => {
        const body = new URLSearchParams({ client_id: client })
        return (await (await fetch(to, { method: 'POST', body })).json()).user_code
      },
      [`${service.url}/api/public/v1/device/authorization`, productId],
    )
    misdeeds.elsewhere.length = 0
    const link = `${service.url}/connect?code=${code}`
    const opened = await openLink(link)
    await opened.page.getByText('Are you in front of this game?').waitFor()
    expect(await opened.page.content()).not.toContain(code)
  })

  test('is typed by the player after the sign-in, which the page says first, and denied', async () => {
    const game = await askingGame()
    const { page } = await open()
    await page.getByText('If a game shows you a code, sign in first').waitFor()
    await chooseWallet(page)
    await button(page, 'Continue').click()
    await page.getByText('Enter the code that your game shows.').waitFor()
    await page
      .getByRole('textbox', { name: 'Code of the game' })
      .fill(game.user_code.toLowerCase().replace('-', ' '))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Give Ember access?' }).waitFor()
    await button(page, 'No').click()
    await page.getByRole('heading', { name: 'No access' }).waitFor()
    await page.getByText('Ember gets nothing.').waitFor()
    expect(await poll(game)).toBe('access_denied')
  })

  test('that no game shows can be typed again', async () => {
    const game = await askingGame()
    const { page, expectGoodLayout } = await enter({ query: '?code=BCDF-GHJK' })
    await page.getByRole('alert').getByText('No game asks with this code.').waitFor()
    await expectGoodLayout('connect-unknown-code')
    await page.getByRole('textbox', { name: 'Code of the game' }).fill(game.user_code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Give Ember access?' }).waitFor()
  })

  test.each(['.', '..'])('is wrong if it is %s', async (typed) => {
    const { page } = await enter()
    await page.getByRole('textbox', { name: 'Code of the game' }).fill(typed)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('No game asks with this code.').waitFor()
  })

  test('that somebody has decided about, before or meanwhile, gives nothing', async () => {
    const game = await askingGame()
    const link = game.verification_uri_complete
    const [first, second] = [await openLink(link), await openLink(link)]
    await approve(first.page)
    await first.page.getByRole('heading', { name: 'Done' }).waitFor()
    await approve(second.page)
    await second.page.getByText('Somebody has said yes or no to this code already.').waitFor()
    const third = await enter({ query: new URL(link).search })
    await third.page.getByRole('heading', { name: 'This code was used before' }).waitFor()
  })

  test('that is too old says so', async () => {
    const game = await askingGame()
    const { page } = await enter()
    await page.route('**/api/public/v1/device/*', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      await route.fulfill({ response, json: { ...rest, data: { ...data, state: 'expired' } } })
    })
    await page.getByRole('textbox', { name: 'Code of the game' }).fill(game.user_code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'This code is too old' }).waitFor()
    expect(await button(page, 'Yes, give access').count()).toBe(0)
  })

  test('that gets too old while the player thinks says so, and lets the player go', async () => {
    const game = await askingGame()
    const { page } = await openLink(game.verification_uri_complete)
    const contentType = 'application/problem+json'
    const answer = { status: 409, contentType, json: { code: 'user_code_expired' } }
    await page.route('**/api/public/v1/device/*', (route) => route.fulfill(answer))
    await approve(page)
    await page.getByText('This code has expired.').waitFor()
    await button(page, 'To my wallets and games').click()
    await page.getByRole('heading', { name: 'Your wallets' }).waitFor()
  })

  test('is tried again when it is typed again after a failure', async () => {
    const game = await askingGame()
    const { page } = await enter()
    const url = '**/api/public/v1/device/*'
    await page.route(url, (route) => route.fulfill({ status: 503, json: { success: false } }))
    const type = async () => {
      await page.getByRole('textbox', { name: 'Code of the game' }).fill(game.user_code)
      await page.keyboard.press('Enter')
    }
    await type()
    await page.getByRole('alert').getByText('The service cannot do this').waitFor()
    await page.unroute(url)
    await type()
    await page.getByRole('heading', { name: 'Give Ember access?' }).waitFor()
  })

  test('stays when the page is loaded again, and is in no text before the sign-in, as its game', async () => {
    const game = await askingGame()
    const { page } = await open({
      query: new URL(game.verification_uri_complete).search,
      place: 'none',
    })
    await button(page, 'Load the page again').click()
    await page.getByText('A game asks for access.').waitFor()
    expect(await page.locator('body').innerText()).not.toContain(game.user_code)
    expect(await page.getByText('Ember', { exact: true }).count()).toBe(0)
  })
})
