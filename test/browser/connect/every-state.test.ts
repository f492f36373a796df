import { writeSampleUsers } from '@player-nfts/local/samples/sample-items'
import { sampleSmartAccounts } from '@player-nfts/local/samples/sample-smart-accounts'
import { test } from 'vitest'
import { newAccount } from '../../support/sign-in/account.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { expectGoodLayout } from '../dashboard/layout-faults.ts'
import { type ConnectPage, chooseWallet, useConnect } from './connect-page.ts'

const connect = useConnect()
const { open, enter, calls, askingGame, service } = connect

/** The widths of the windows, in pixels: from a small telephone to a screen. */
const widths = [320, 768, 1280]

const click = (page: BrowserPage, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click()

const seen = (page: BrowserPage, text: string) =>
  page.getByText(text, { exact: false }).first().waitFor()

const longName = 'Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww مرحبا'

async function richUser(): Promise<ConnectPage> {
  const [first, second] = [newAccount(), newAccount()]
  const { session } = await calls().enter(first, { username: longName })
  const body = await calls().signToAdd(second, first, session)
  await service.call('POST /login/user/wallets', { body, session })
  const { productId } = await calls().newGame()
  await calls().signIn({ ...(await calls().sign(first, { productId })), productId })
  const opened = await enter({ accounts: [first] })
  await seen(opened.page, 'Kiln')
  return opened
}

async function ofGame(isSameNetwork: boolean): Promise<ConnectPage> {
  const { verification_uri_complete: link } = await askingGame({ isSameNetwork })
  const opened = await enter({ query: new URL(link).search })
  await opened.page.getByRole('heading', { name: 'Give Ember access?' }).waitFor()
  return opened
}

const clicked = async (
  opened: ConnectPage,
  ...names: (string | RegExp)[]
): Promise<ConnectPage> => {
  for (const name of names) await click(opened.page, name)
  return opened
}

const chooseIn = ({ page }: ConnectPage, name: string) =>
  chooseWallet(page.getByRole('dialog', { name }))

const states: Readonly<Record<string, () => Promise<ConnectPage>>> = {
  wallets: () => open(),
  'no-wallet': async () => {
    const opened = await open({ place: 'none' })
    await seen(opened.page, 'There is no wallet in this browser')
    return opened
  },
  'sample-players': async () => {
    await writeSampleUsers(service.stack, Date.now())
    return await open({ place: 'none', hasSamplePlayers: true })
  },
  'on-phone': async () => {
    const opened = await open()
    await opened.page.getByText('My wallet is on my phone').click()
    return opened
  },
  'about-smart-accounts': async () => {
    const opened = await open()
    await opened.page.getByText('My wallet is a smart account').click()
    return opened
  },
  'wrong-chain': async () => {
    const opened = await open()
    Object.assign(opened.wallet, { chainId: 1, switching: 'refuses' })
    await clicked(opened, 'Ember Wallet')
    await opened.page.getByRole('alert').waitFor()
    return opened
  },
  'smart-account-signs': async () => {
    const opened = await open()
    Object.assign(opened.wallet, { chainId: 137, code: sampleSmartAccounts.deployed.code })
    await opened.page.route('**/login/message', () => new Promise(() => undefined))
    await clicked(opened, 'Ember Wallet')
    await seen(opened.page, 'This is a smart account on Polygon.')
    return opened
  },
  'smart-account': async () => {
    const opened = await enter({ accounts: [sampleSmartAccounts.deployed] })
    await seen(opened.page, 'This is a smart account on Polygon.')
    return opened
  },
  'game-asks': () => open({ query: '?code=BCDF-GHJK' }),
  waiting: async () => {
    const opened = await open()
    await opened.page.route('**/login/message', () => new Promise(() => undefined))
    await clicked(opened, 'Ember Wallet')
    await seen(opened.page, 'Look at your wallet')
    return opened
  },
  refused: async () => {
    const opened = await open()
    opened.wallet.errorCode = 4001
    await clicked(opened, 'Ember Wallet')
    await opened.page.getByRole('alert').waitFor()
    return opened
  },
  'new-user': () => enter(),
  user: richUser,
  name: async () => await clicked(await richUser(), 'Change the name'),
  'add-wallet': async () => await clicked(await richUser(), 'Add a wallet'),
  consent: async () => {
    const opened = await clicked(await richUser(), 'Add a wallet')
    opened.wallet.accounts = [newAccount()]
    await chooseIn(opened, 'Add a wallet')
    await seen(opened.page, 'The new wallet has signed:')
    return opened
  },
  'remove-wallet': async () => await clicked(await richUser(), /^Remove/),
  'end-access': async () => await clicked(await richUser(), /^End access/),
  'sign-out': async () => await clicked(await richUser(), 'Sign out everywhere'),
  'signed-out': async () => {
    const opened = await clicked(await enter(), 'Sign out everywhere')
    await opened.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Sign out everywhere' })
      .click()
    await seen(opened.page, 'You are signed out everywhere.')
    return opened
  },
  move: async () => {
    const [own, other] = [newAccount(), newAccount()]
    await calls().enter(other)
    const opened = await enter({ accounts: [own] })
    opened.wallet.accounts = [other, own]
    await clicked(opened, 'Add a wallet')
    await chooseIn(opened, 'Add a wallet')
    await chooseIn(opened, 'Now sign with a wallet that you have')
    await seen(opened.page, 'Another player has this wallet')
    return opened
  },
  'same-network': () => ofGame(true),
  'other-network': async () => await clicked(await ofGame(false), 'Yes, give access'),
  approved: async () => {
    const opened = await ofGame(true)
    await opened.page.getByRole('checkbox').check()
    await clicked(opened, 'Yes, give access')
    await seen(opened.page, 'Done')
    return opened
  },
  'unknown-code': async () => {
    const opened = await enter({ query: '?code=BCDF-GHJK' })
    await opened.page.getByRole('alert').waitFor()
    return opened
  },
}

test.each(Object.keys(states))(
  'D114: in the state %s of /connect, nothing is cut, overlaps or is inaccessible',
  async (name) => {
    const opened = await states[name]?.()
    if (!opened) throw new Error(`no state ${name}`)
    await expectGoodLayout(opened, `connect-${name}`, widths, { fullPage: true })
  },
)
