import { createRequire } from 'node:module'
import { samples } from '@player-nfts/local/samples'
import { writeSampleUsers } from '@player-nfts/local/samples/sample-items'
import { describe, expect, test } from 'vitest'
import { newAccount } from '../../support/sign-in/account.ts'
import { chooseWallet, useConnect } from './connect-page.ts'

const { open, enter, calls, service } = useConnect()
const readQr = createRequire(import.meta.url)('qr/decode.js').default

const ethereum = 1

describe('D114: the page /connect', () => {
  test('signs in with a wallet that announces itself, and says what it signs', async () => {
    const account = newAccount()
    const { page, wallet, expectGoodLayout } = await open({ accounts: [account] })
    await page.getByRole('button', { name: 'Ember Wallet' }).waitFor()
    await expectGoodLayout('connect-wallets')
    await page.getByText('My wallet is on my phone').click()
    await page.getByText('My wallet is a smart account').click()
    await expectGoodLayout('connect-wallets-elsewhere')
    expect(await page.title()).toBe('Sign in with your wallet · Player NFTs')
    await chooseWallet(page)
    await page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor()
    expect(await page.locator('h1:focus').textContent()).toBe('You are signed in')
    expect(wallet.signed).toHaveLength(1)
    expect(wallet.signed[0]).toContain('\nSign in with this wallet.\n')
    await page.getByTitle(account.address).waitFor()
    await expectGoodLayout('connect-new-user')
  })

  test('signs in with a wallet that does not announce itself', async () => {
    const { page } = await open({ place: 'older' })
    await page.getByRole('button', { name: 'Wallet of this browser' }).click()
    await page.getByText('Signed in as').waitFor()
  })

  test.each([
    [4001, 'You closed the wallet. Nothing happened.'],
    [-32002, 'Your wallet already asks you something.'],
    [4900, 'Your wallet could not do this. Nothing happened.'],
  ])('says what to do when the wallet answers %d, and signs in after that', async (code, text) => {
    const { page, wallet, expectGoodLayout } = await open()
    wallet.errorCode = code
    await chooseWallet(page)
    await page.getByRole('alert').getByText(text).waitFor()
    await expectGoodLayout(`connect-refused-${code}`)
    wallet.errorCode = undefined
    await chooseWallet(page)
    await page.getByText('Signed in as').waitFor()
  })

  test('says what to do without a wallet, and leads a phone to itself with the code of the game', async () => {
    const { page, expectGoodLayout } = await open({ place: 'none', query: '?code=BCDF-GHJK' })
    await page.getByRole('heading', { name: 'There is no wallet in this browser' }).waitFor()
    await page.getByText('A game asks for access.').waitFor()
    await expectGoodLayout('connect-no-wallet')
    const address = `${service.url}/connect?code=BCDF-GHJK`
    expect(await page.locator('.secret code').textContent()).toBe(`${service.url}/connect`)
    const picture = page.getByRole('img', { name: 'QR code of the address of this page' })
    const pixels = await picture.evaluate(async (svg) => {
      const image = new Image()
      image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: 240, height: 240 })
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0, 240, 240)
      return [...(context?.getImageData(0, 0, 240, 240).data ?? [])]
    })
    expect(readQr({ width: 240, height: 240, data: Uint8ClampedArray.from(pixels) })).toBe(address)
  })

  test('keeps the session in its memory only', async () => {
    const { page } = await enter()
    expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([0, 0])
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in with your wallet' }).waitFor()
  })

  test('says that the sign-in has ended when the user has signed out elsewhere', async () => {
    const account = newAccount()
    const { page } = await enter({ accounts: [account] })
    const { session } = await calls().enter(account)
    await service.call('POST /login/sign-out', { session })
    await page.getByLabel('Code of the game').fill('BCDF-GHJK')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Your sign-in has ended.').waitFor()
    await chooseWallet(page)
    await page.getByText('Signed in as').waitFor()
  })

  test('signs in as a sample player with one click, who is the same user as with a user JWT', async () => {
    await writeSampleUsers(service.stack, Date.now())
    const { page, expectGoodLayout } = await open({ place: 'none', hasSamplePlayers: true })
    await page.getByRole('button', { name: 'Sign in as tessaly_vane' }).waitFor()
    await expectGoodLayout('connect-sample-players')
    await page.getByRole('button', { name: 'Sign in as tessaly_vane' }).click()
    await page.getByRole('heading', { name: 'Hello, tessaly_vane' }).waitFor()
    for (const wallet of samples.players.threeWallets.wallets) {
      await page.getByTitle(wallet).waitFor()
    }
  })

  test('lets the user leave for another wallet, and can be used with the keyboard alone', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Ember Wallet' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Ember Wallet')
    await page.keyboard.press('Enter')
    await page.getByText('Signed in as').waitFor()
    await page.getByRole('button', { name: 'Change wallet' }).press('Enter')
    await page.getByRole('heading', { name: 'Sign in with your wallet' }).waitFor()
    expect(await page.locator('h1:focus').count()).toBe(1)
  })
})

test('D114: the message waits until a wallet on another chain has switched', async () => {
  const { page, wallet, expectGoodLayout } = await open()
  Object.assign(wallet, { chainId: ethereum, switching: 'refuses' })
  await chooseWallet(page)
  const alert = page.getByRole('alert')
  await alert.getByText('Your wallet is on a chain that does not work here.').waitFor()
  await alert.getByText('Let it switch to Polygon, and try again.').waitFor()
  await expectGoodLayout('connect-wrong-chain')
  expect(wallet.signed).toEqual([])
  wallet.switching = 'switches'
  await chooseWallet(page)
  await page.getByText('Signed in as').waitFor()
  expect(wallet.signed[0]).toContain('\nChain ID: 137\n')
})
