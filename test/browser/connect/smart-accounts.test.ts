import {
  type SampleSmartAccount,
  sampleSmartAccounts,
} from '@player-nfts/local/samples/sample-smart-accounts'
import { describe, expect, test } from 'vitest'
import { newAccount } from '../../support/sign-in/account.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { chooseWallet, useConnect } from './connect-page.ts'

const { open, enter, calls } = useConnect()
const { deployed, notDeployed } = sampleSmartAccounts

const [polygon, bsc] = [137, 56]

const dialogOf = (page: BrowserPage, name: string) => page.getByRole('dialog', { name })

const shown = async (page: BrowserPage) =>
  (await page.locator('.wallet-address > span').allInnerTexts()).map((text) => text.trim())

const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

describe('D158, D159: a smart account on /connect', () => {
  test('is linked with a warning, signs as itself after that, and is removed on its chain', async () => {
    const own = newAccount()
    const { page, wallet } = await enter({ accounts: [own] })
    Object.assign(wallet, { accounts: [deployed], chainId: polygon, code: deployed.code })
    await page.getByRole('button', { name: 'Add a wallet' }).click()
    const adding = dialogOf(page, 'Add a wallet')
    await adding
      .getByText('Whoever controls it there, also at any later time', { exact: false })
      .waitFor()
    await chooseWallet(adding)
    const consent = dialogOf(page, 'Now sign with a wallet that you have')
    await consent.getByText(`${short(deployed.address)} on Polygon`, { exact: false }).waitFor()
    wallet.accounts = [own]
    await chooseWallet(consent)
    await page.getByText('The wallet is added.').waitFor()
    expect(wallet.signed.at(-1)).toMatch(/\nAdd the wallet 0x[\da-fA-F]{40} on POLYGON to /)
    expect(await shown(page)).toEqual([short(own.address), `${short(deployed.address)} on Polygon`])

    await page.getByRole('button', { name: `Remove ${short(deployed.address)} on Polygon` }).click()
    // It must sign on its chain.
    Object.assign(wallet, { accounts: [deployed], chainId: bsc, switching: 'switches' })
    await chooseWallet(dialogOf(page, 'Remove this wallet?'))
    await page.getByText('The wallet is removed.').waitFor()
    expect(wallet.chainId).toBe(polygon)
    expect(await shown(page)).toEqual([short(own.address)])
  })

  test('that its wallet does not show is linked after another consent, which names its chain', async () => {
    const own = newAccount()
    const { page, wallet } = await enter({ accounts: [own] })
    wallet.accounts = [deployed]
    await page.getByRole('button', { name: 'Add a wallet' }).click()
    await chooseWallet(dialogOf(page, 'Add a wallet'))
    const consent = dialogOf(page, 'Now sign with a wallet that you have')
    await consent.getByText(short(deployed.address)).waitFor()
    wallet.accounts = [own]
    await chooseWallet(consent)
    await consent.getByText('please sign once more, for its chain', { exact: false }).waitFor()
    await chooseWallet(consent)
    await page.getByText('The wallet is added.').waitFor()
    expect(await shown(page)).toEqual([short(own.address), `${short(deployed.address)} on Polygon`])
    await page.getByRole('button', { name: `Remove ${short(deployed.address)} on Polygon` }).click()
    await chooseWallet(dialogOf(page, 'Remove this wallet?'))
    await page.getByText('The wallet is removed.').waitFor()
  })

  test.each<[SampleSmartAccount, chain: string]>([
    [deployed, 'Polygon'],
    [notDeployed, 'BSC'],
  ])('$name signs in with one click, and the page says where it counts', async (account, chain) => {
    const { page, expectGoodLayout } = await open({ place: 'none', hasSamplePlayers: true })
    const name = `Sign in as ${account.name}, a smart account on ${chain}`
    await page.getByRole('button', { name }).click()
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    const words = `This is a smart account on ${chain}. Its NFTs on ${chain} count.`
    await page.getByText(words).waitFor()
    expect(await shown(page)).toEqual([`${short(account.address)} on ${chain}`])
    await expectGoodLayout(`connect-smart-account-${chain}`)
  })

  test('is named while its wallet is to sign', async () => {
    const { page, wallet, expectGoodLayout } = await open()
    Object.assign(wallet, { chainId: polygon, code: deployed.code })
    await page.route('**/login/message', () => new Promise(() => undefined))
    await chooseWallet(page)
    await page.getByText('Look at your wallet').waitFor()
    await page.getByText('This is a smart account on Polygon.').waitFor()
    await expectGoodLayout('connect-smart-account-signs')
  })

  test('of another user moves on its chain, also if it is not deployed', async () => {
    const own = newAccount()
    const { sign, signIn } = calls()
    await signIn(await sign(notDeployed, { chain: 'BSC' }))
    const { page, wallet } = await enter({ accounts: [own] })
    Object.assign(wallet, { accounts: [notDeployed], chainId: bsc })
    await page.getByRole('button', { name: 'Add a wallet' }).click()
    await chooseWallet(dialogOf(page, 'Add a wallet'))
    const consent = dialogOf(page, 'Now sign with a wallet that you have')
    await consent.waitFor()
    wallet.accounts = [own]
    await chooseWallet(consent)
    const moving = dialogOf(page, 'Another player has this wallet')
    await moving.getByText(`${short(notDeployed.address)} on BSC`, { exact: false }).waitFor()
    Object.assign(wallet, { accounts: [notDeployed], chainId: polygon, switching: 'switches' })
    await moving.getByRole('button', { name: 'Move the wallet to me' }).click()
    await page.getByText('The wallet is yours now.').waitFor()
    expect(wallet.chainId).toBe(bsc)
    expect(await shown(page)).toEqual([short(own.address), `${short(notDeployed.address)} on BSC`])
  })

  test.each([
    ['refuses', deployed, polygon, { sign: newAccount().sign }, 'This signature does not belong'],
    ['is not on the chain', notDeployed, polygon, {}, 'This wallet is not on this chain.'],
  ])('that %s is told so', async (_, account, chainId, other, text) => {
    const { page, wallet } = await open({ accounts: [{ ...account, ...other }] })
    Object.assign(wallet, { chainId, code: '0xfe' })
    await chooseWallet(page)
    await page.getByRole('alert').getByText(text, { exact: false }).waitFor()
  })
})
