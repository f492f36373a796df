import { readdir } from 'node:fs/promises'
import { samples } from '@player-nfts/local/samples'
import { beforeAll, describe, expect, test } from 'vitest'
import { allowlist } from '../../support/requests/allowlists.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { answering, type DashboardPageOptions, useDashboard } from './dashboard-page.ts'

let apiKey: string
const { service, open: openDashboard } = useDashboard()
/** A product with four collections of the sample world. */
beforeAll(async () => {
  apiKey = await service.newProduct()
  const { gear, keepers, lanterns, vessels } = samples.collections
  for (const { chain, address: contractAddress } of [gear, keepers, lanterns, vessels]) {
    await allowlist(service.call, apiKey, { chain, contractAddress, tokens: ['*'] })
  }
})

const open = (query = '', options: Partial<DashboardPageOptions> = {}) =>
  openDashboard(`/try${query}`, { apiKey, ...options })

const send = async (page: BrowserPage) => {
  await page.getByRole('button', { name: 'Send' }).click()
}

const answer = (page: BrowserPage) => page.getByRole('region', { name: 'Answer' })

/** What a game gets for the token of a player. */
async function seenByGame(
  query: Record<string, string> = {},
  { wallets }: { wallets: readonly string[] } = samples.players.threeWallets,
) {
  const { playerToken } = await service.newPlayer(wallets)
  return await service.call('GET /player/tokens', { apiKey, playerToken, query })
}

describe('Try it', () => {
  test('shows the NFTs that a game sees of a sample player, with their wallets, copies the answer, and reads again', async () => {
    const { page, expectGoodLayout } = await open('?player=tessaly_vane')
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await send(page)
    const { json } = await seenByGame()
    const expected = json.data
    const cards = answer(page).locator('.try-card')
    await expect.poll(() => cards.count()).toBe(expected.length)
    const names = await answer(page).locator('.try-card-name').allInnerTexts()
    expect(names.toSorted()).toEqual(
      expected
        .map((nft: { formattedMetadata: { name: string } }) => nft.formattedMetadata.name)
        .toSorted(),
    )
    const count = `The game sees ${expected.length} NFTs`
    expect(await answer(page).getByRole('heading', { level: 2 }).innerText()).toBe(count)
    expect(await answer(page).locator('.answer-facts').innerText()).toMatch(
      /HTTP 200\s+[\d,]+ ms\s+received \d+ s ago\s+as of \d+ s ago\s+Request \S+/,
    )
    await expectGoodLayout('try-it-answer')
    await answer(page).getByText('JSON', { exact: true }).click()
    await answer(page).getByRole('button', { name: 'Copy the JSON' }).click()
    // The two answers can be of different moments (D156).
    const received = { ...json, asOf: expect.stringMatching(/Z$/) }
    expect(JSON.parse(await copied())).toEqual(received)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const request = page.waitForRequest(/\/player\/tokens/)
    await answer(page).getByRole('button', { name: 'Refresh' }).click()
    await request
    await answer(page).getByText('HTTP 200').waitFor()
    await expect.poll(() => cards.count()).toBe(expected.length)
    const gear: { owner: string; tokenId: string }[] = expected.filter(
      ({ address }: { address: string }) => address === samples.collections.gear.address,
    )
    const owners = gear.filter(({ tokenId }) => tokenId === '2').map(({ owner }) => owner)
    expect(owners).toHaveLength(2)
    const titles = await answer(page)
      .locator('.try-card p:has-text("in wallet")')
      .evaluateAll((facts) => facts.map((fact) => fact.getAttribute('title')))
    expect(titles.toSorted()).toEqual(owners.toSorted())
    await answer(page).getByText('npm run --silent mint -- --to tessaly_vane').waitFor()
    expect(await answer(page).getByRole('link', { name: 'Lanterns' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Copy the player token' }).click()
    await expect.poll(copied).not.toContain('{')
    const details = await service.call('GET /player/details', { playerToken: await copied() })
    expect(details.json.data.username).toBe('tessaly_vane')
  })

  test('shows raw metadata as text with every digit, in lines that fold', async () => {
    const { page, expectGoodLayout } = await open('?form=raw&chains=BSC&player=tessaly_vane', {
      prepare: answering('**/player/tokens/raw?*', async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace('"rawMetadata":{', `"rawMetadata":${exact}`)
        await route.fulfill({ response, body })
      }),
    })
    await send(page)
    const lines = answer(page).locator('.json-line')
    await expect
      .poll(() => lines.allInnerTexts())
      .toContain('"precise": 340282366920938463463374607431768211457.10,')
    const before = await lines.count()
    const data = answer(page).getByRole('button', { name: '"data"' })
    await data.click()
    await expect.poll(() => lines.count()).toBeLessThan(before)
    expect(await lines.nth(1).innerText()).toContain('"data": [ … ],')
    await data.click()
    await lines.filter({ hasText: '"precise"' }).first().waitFor()
    await expectGoodLayout('try-it-raw')
  })

  test('reads further pages on demand', async () => {
    const { page } = await open('?limit=50&player=old_quill')
    await send(page)
    const cards = answer(page).locator('.try-card')
    await expect.poll(() => cards.count()).toBe(50)
    await page.getByRole('button', { name: 'Next page' }).click()
    await answer(page).getByText('The game sees 100 NFTs, and more on the next page').waitFor()
    await page.getByRole('button', { name: 'All pages' }).click()
    const all = (await seenByGame({}, samples.players.largeWallet)).json.data.length
    await answer(page)
      .getByRole('heading', { name: `The game sees ${all} NFTs`, exact: true })
      .waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Next page' }).count()).toBe(0)
  })

  test('takes a pasted player token, and keeps it nowhere', async () => {
    const { playerToken } = await service.newPlayer(samples.players.largeWallet.wallets)
    const { page } = await open()
    await page.getByLabel('Player', { exact: true }).selectOption('Paste a player token')
    await page.getByLabel('Player token').fill(`  ${playerToken}\n`)
    await send(page)
    await answer(page)
      .getByText(/The game sees \d+ NFTs/)
      .waitFor()
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href, document.title]),
    )
    expect(kept).not.toContain(playerToken)
    expect(await page.content()).not.toContain(playerToken)
  })

  test('shows a refusal as the game gets it', async () => {
    const { page, expectGoodLayout } = await open('?player=pasted')
    await page.getByLabel('Player token').fill('not-a-token')
    await send(page)
    await page.getByText('The game gets 401 invalid_player_token').waitFor()
    expect(await answer(page).locator('.json-line').allInnerTexts()).toContain('"status": 401,')
    await page.getByRole('link', { name: 'What invalid_player_token means' }).waitFor()
    await expectGoodLayout('try-it-refused')
  })

  test('says so if the player has no NFTs, and forgets the answer for other settings', async () => {
    const { page, expectGoodLayout } = await open('?player=pip_ashore')
    await send(page)
    await page.getByText('The game sees no NFTs of this player').waitFor()
    await page.getByText('none of the NFTs on the allowlist of your game').waitFor()
    await expectGoodLayout('try-it-nothing')
    await page.getByLabel('BSC').check()
    await expect.poll(() => answer(page).count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?player=pip_ashore&chains=BSC')
  })

  test('a game without lanterns is told to add them before one is minted', async () => {
    const newGame = { apiKey: await service.newProduct() }
    const { page, expectGoodLayout } = await open('?player=tessaly_vane', newGame)
    await send(page)
    const { chain, address, name } = samples.collections.lanterns
    await answer(page).getByText('npm run --silent mint -- --to tessaly_vane').waitFor()
    const link = answer(page).getByRole('link', { name })
    expect(await link.getAttribute('href')).toBe(`/nfts?add=1&chain=${chain}&address=${address}`)
    await expectGoodLayout('try-it-new-game')
  })

  test('the languages are tabs for the keyboard, and the code for a game names the product', async () => {
    const { page, expectAccessible } = await open()
    await page.getByRole('tab', { name: 'curl' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const unity = page.getByRole('tab', { name: 'Unity (C#)' })
    expect(await unity.getAttribute('aria-selected')).toBe('true')
    const code = page.getByRole('tabpanel')
    expect(await code.innerText()).toContain('UnityWebRequest.Get(url)')
    expect(await code.innerText()).toContain('API_KEY')
    const folder = await page.getByText('examples/game-server').innerText()
    expect(await readdir(folder)).toContain('rust')
    await page.getByText('In the game', { exact: true }).click()
    const { productId } = (await service.call('GET /product', { apiKey })).json.data
    expect(await code.innerText()).toContain(`productId=${productId}`)
    expect(await code.innerText()).not.toContain('API_KEY')
    await page.getByText('Your game does not permit calls without an API key.').waitFor()
    await expectAccessible()
    await page.keyboard.press('Home')
  })
})

/** Raw metadata that floating-point numbers cannot hold. */
const exact = '{"precise":340282366920938463463374607431768211457.10,'
