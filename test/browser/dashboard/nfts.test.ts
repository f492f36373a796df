import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { checksumAddress, toAddress } from '../../../lib/domain/nft/address.ts'
import { allowedTokenIds, allowlist } from '../../support/requests/allowlists.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { gearPage as contractPage, gear, useDashboard } from './dashboard-page.ts'

const { chain, address } = gear
const { service, product, connect, open } = useDashboard()

const listed = () => allowedTokenIds(service.call, product.apiKey)

const shown = (page: BrowserPage) => page.locator('.nft-id').allTextContents()

describe('Adding NFTs', () => {
  test('typed identifiers and ranges are on the allowlist', async () => {
    const { page } = await open(`/nfts?add=1&chain=${chain}&address=${address}`)
    await page.getByLabel('Description').fill('Equipment of the lamp keepers.')
    await page.getByLabel('Token identifiers').fill('1, 0x2\n3\n3\n10..12')
    await page.waitForSelector('text=3 NFTs and the range 10..12, 1 duplicate left out')
    await page.click('button:has-text("Add 3 NFTs and the range 10..12")')
    await page.waitForURL(`**${contractPage}`)
    await page.waitForSelector('text=3 NFTs and the range 10..12 were added.')
    await expect.poll(() => shown(page)).toEqual(['1', '2', '3', '10', '11', '12'])
    expect(await listed()).toEqual(['1', '2', '3', '10..12'])
  })

  test('bad lines are named, and left out on request only', async () => {
    await connect('1')
    const { page, expectGoodLayout } = await open(`${contractPage}?add=1`)
    const text = '"name";"token_id"\r\n"A";7\r\n"B";1E+05\r\n"C";"1,000"\r\n"D";12.0\r\n"E";8\r\n'
    const buffer = Buffer.from(`\ufeff${text}`)
    await page.setInputFiles('input[type=file]', {
      name: 'season.csv',
      mimeType: 'text/csv',
      buffer,
    })
    await page.waitForSelector('text=2 NFTs, 3 bad lines')
    const lines = await page.locator('.bad-lines li').allTextContents()
    expect(lines.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'Line 3: 1E+05',
      'Line 4: 1,000',
      'Line 5: 12.0',
    ])
    const submit = page.locator('button:has-text("Add 2 NFTs")')
    await submit.click()
    await page.waitForSelector('text=Correct the bad lines')
    await expectGoodLayout('nfts-bad-lines')
    expect(await listed()).toEqual(['1'])
    await page.click('text=Send the list without the bad lines')
    await submit.click()
    await page.waitForSelector('text=2 NFTs were added.')
    expect(await listed()).toEqual(['1', '7', '8'])
  })

  test('a refused form names the field and keeps everything typed, also after a reload', async () => {
    // One letter of the checksum is wrong.
    const typo = checksumAddress(toAddress(address)).replace(/[A-F]/, (letter) =>
      letter.toLowerCase(),
    )
    const { page, expectGoodLayout } = await open('/nfts?add=1')
    await page.getByLabel('Contract address').fill(typo)
    await page.getByLabel('Description').fill('Equipment of the lamp keepers.')
    await page.getByLabel('Token identifiers').fill('7')
    await page.click('button:has-text("Add 1 NFT")')
    await page.waitForSelector('.field-error:has-text("EIP-55 checksum")')
    await expectGoodLayout('nfts-refused')
    await page.reload()
    expect(await page.getByLabel('Contract address').inputValue()).toBe(typo)
    expect(await page.getByLabel('Token identifiers').inputValue()).toBe('7')
    expect(await listed()).toEqual([])
    await page.getByLabel('Contract address').fill(address)
    await page.click('button:has-text("Add 1 NFT")')
    await page.waitForURL(`**${contractPage}`)
    expect(await listed()).toEqual(['7'])
  })
})

describe('The NFTs of a contract', () => {
  test('have names, and each its own address', async () => {
    await connect('1', '2', '17')
    const { page, expectGoodLayout } = await open(contractPage)
    await expect.poll(() => shown(page)).toEqual(['1', '2', '17'])
    await page.click('.segment:has-text("List")')
    await expectGoodLayout('nft-list')
    await page.click('.nft-card:has-text("Hammer") .nft-name')
    const dialog = page.locator('dialog')
    expect(await dialog.innerText()).toContain('Rings on iron, sings on bronze')
    await expectGoodLayout('nft-detail')
    expect(new URL(page.url()).search).toBe('?view=list&token=2')
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.goto(`${service.url}${contractPage}?from=17&token=2`)
    await page.waitForSelector('dialog:has-text("Hammer")')
    await page.keyboard.press('Escape')
    await expect.poll(() => shown(page)).toEqual(['17'])
    await expectGoodLayout('gallery-end')
  })

  test('are found by name among those that are loaded, and by identifier on the whole list', async () => {
    await connect('1..24', String(2n ** 128n + 1n))
    const { page, expectGoodLayout } = await open(contractPage)
    const search = page.getByLabel('Search')
    await page.waitForSelector('.nft-card')
    await expectGoodLayout('gallery')
    await search.fill('hammer')
    await page.waitForSelector('text=that are loaded')
    const names = await page.locator('.nft-name').allTextContents()
    expect(names.length).toBeGreaterThan(0)
    expect(names.every((name) => name.includes('Hammer'))).toBe(true)
    await search.fill('0x16')
    await page.keyboard.press('Enter')
    await expect.poll(() => shown(page)).toEqual(['22', '23', '24', String(2n ** 128n + 1n)])
    await page.goBack()
    await expect.poll(async () => (await shown(page))[0]).toBe('1')
  })
})

test('a search for an identifier leads to it, and not to further pages', async () => {
  const { lanterns } = samples.collections
  const contract = { chain: lanterns.chain, contractAddress: lanterns.address }
  await allowlist(service.call, product.apiKey, { ...contract, tokens: ['*'] })
  const { page } = await open(`/nfts/${lanterns.chain}/${lanterns.address}`)
  const more = page.getByRole('button', { name: 'Load 100 more' })
  await page.waitForSelector('.nft-card')
  await page.getByLabel('Search').fill('lantern 602')
  await more.waitFor()
  await page.getByLabel('Search').fill('602')
  await page.getByRole('button', { name: 'Go to 602' }).waitFor()
  expect(await more.count()).toBe(0)
})

test('D134: the dialog says how many attributes are left out', async () => {
  const { chain, address } = samples.collections.curios
  await allowlist(service.call, product.apiKey, { chain, contractAddress: address, tokens: ['7'] })
  const { page } = await open(`/nfts/${chain}/${address}?token=7`)
  await page.waitForSelector('dialog:has-text("or in another form: 3.")')
})

test('a description that turns the direction leaves the text around it as it is', async () => {
  const description = 'The gear of \u202esepip eht'
  const about = { chain, contractAddress: address, contractDescription: description }
  await allowlist(service.call, product.apiKey, { ...about, tokens: ['1'] })
  const { page } = await open(contractPage)
  await expect.poll(() => page.title()).toBe(`\u2068${description}\u2069 · Player NFTs`)
  expect(await page.locator('h1 > bdi').innerText()).toBe(description)
})

describe('Removing', () => {
  test('selected NFTs, after the page has said what happens', async () => {
    await connect('1', '2', '17')
    const { page, expectGoodLayout } = await open(contractPage)
    await page.getByLabel('Select 1', { exact: true }).check()
    await page.getByLabel('Select 17', { exact: true }).check()
    await expectGoodLayout('selection')
    await page.click('.selection button:has-text("Remove…")')
    const dialog = page.locator('dialog')
    expect(await dialog.innerText()).toContain('players do not see them')
    await expectGoodLayout('remove')
    expect(await listed()).toEqual(['1', '2', '17'])
    await dialog.locator('button:has-text("Remove 2 NFTs")').click()
    await expect.poll(() => shown(page)).toEqual(['2'])
    expect(await listed()).toEqual(['2'])
  })

  test('a typed list splits ranges as the page has said', async () => {
    await connect('1..20', '24')
    const { page, expectGoodLayout } = await open(contractPage)
    await page.click('summary:has-text("More")')
    await page.click('text=Remove a list…')
    await page.getByLabel('Token identifiers').fill('1\n1E+05\n1,000.5\n4..9')
    await page.locator('.bad-lines li').first().waitFor()
    await expectGoodLayout('remove-list')
    await page.getByLabel('Token identifiers').fill('5\n10..12\n24')
    await page.waitForSelector('text=The contract then has the ranges 1..4, 6..9, 13..20.')
    await page.click('dialog button:has-text("Remove 2 NFTs and the range 10..12")')
    await page.waitForSelector('text=2 NFTs and the range 10..12 were removed.')
    expect(await listed()).toEqual(['1..4', '6..9', '13..20'])
  })

  test('one NFT from its own page', async () => {
    await connect('1', '2')
    const { page } = await open(`${contractPage}?token=2`)
    await page.click('dialog button:has-text("Remove…")')
    await page.click('dialog button:has-text("Remove 1 NFT")')
    await expect.poll(() => shown(page)).toEqual(['1'])
    expect(await listed()).toEqual(['1'])
  })

  test('a contract with its whole allowlist', async () => {
    await connect('1..20', '24')
    const { page, expectGoodLayout } = await open(contractPage)
    const more = page.locator('summary:has-text("More")')
    const remove = page.getByRole('button', { name: 'Remove the contract…' })
    for (const close of [() => page.keyboard.press('Escape'), () => page.click('h1')]) {
      await more.click()
      await remove.waitFor()
      await close()
      await remove.waitFor({ state: 'hidden' })
    }
    await more.click()
    await remove.click()
    await page.waitForSelector('dialog:has-text("21 NFTs, with the range 1..20")')
    await expectGoodLayout('remove-contract')
    await page.click('dialog button:has-text("Remove the contract")')
    await page.waitForSelector('text=No NFTs yet')
    expect(await listed()).toEqual([])
  })
})
