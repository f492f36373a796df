import { writeSampleUsers } from '@player-nfts/local/samples/sample-items'
import { sampleSmartAccounts } from '@player-nfts/local/samples/sample-smart-accounts'
import { test } from 'vitest'
import { newAccount } from '../../support/sign-in/account.ts'
import { expectGoodLayout } from '../dashboard/layout-faults.ts'
import { type ConnectPage, chooseWallet, useConnect } from './connect-page.ts'

const { open, enter, calls, askingGame, service } = useConnect()

/** The widths of the windows, in pixels: from a small telephone to a screen. */
const widths = [320, 768, 1280]

const longName = 'Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww مرحبا'

/** What is done on a page, or waited for. */
type Step = (opened: ConnectPage) => Promise<unknown>

const press =
  (name: string | RegExp): Step =>
  ({ page }) =>
    page.getByRole('button', { name }).first().click()

const see =
  (text: string): Step =>
  ({ page }) =>
    page.getByText(text, { exact: false }).first().waitFor()

const seeAlert: Step = ({ page }) => page.getByRole('alert').waitFor()

const chooseIn =
  (dialog: string): Step =>
  ({ page }) =>
    chooseWallet(page.getByRole('dialog', { name: dialog }))

const changeWallet =
  (changes: Partial<ConnectPage['wallet']>): Step =>
  async ({ wallet }) =>
    Object.assign(wallet, changes)

const withoutAnswer: Step = ({ page }) =>
  page.route('**/login/message', () => new Promise(() => undefined))

async function after(opening: Promise<ConnectPage>, ...steps: Step[]): Promise<ConnectPage> {
  const opened = await opening
  for (const step of steps) await step(opened)
  return opened
}

/** A user with a long name, two wallets and a game. */
async function richUser(): Promise<ConnectPage> {
  const [first, second] = [newAccount(), newAccount()]
  const { session } = await calls().enter(first, { username: longName })
  const body = await calls().signToAdd(second, first, session)
  await service.call('POST /login/user/wallets', { body, session })
  const { productId } = await calls().newGame()
  await calls().signIn({ ...(await calls().sign(first, { productId })), productId })
  return await after(enter({ accounts: [first] }), see('Kiln'))
}

async function ofGame(isSameNetwork: boolean): Promise<ConnectPage> {
  const { verification_uri_complete: link } = await askingGame({ isSameNetwork })
  return await after(enter({ query: new URL(link).search }), see('Give Ember access?'))
}

const { deployed } = sampleSmartAccounts
const onPolygon = 'This is a smart account on Polygon.'

const states: Readonly<Record<string, () => Promise<ConnectPage>>> = {
  wallets: () => open(),
  'no-wallet': () => after(open({ place: 'none' }), see('There is no wallet in this browser')),
  'sample-players': async () => {
    await writeSampleUsers(service.stack, Date.now())
    return await open({ place: 'none', hasSamplePlayers: true })
  },
  'on-phone': () => after(open(), ({ page }) => page.getByText('My wallet is on my phone').click()),
  'about-smart-accounts': () =>
    after(open(), ({ page }) => page.getByText('My wallet is a smart account').click()),
  'wrong-chain': () =>
    after(
      open(),
      changeWallet({ chainId: 1, switching: 'refuses' }),
      press('Ember Wallet'),
      seeAlert,
    ),
  'smart-account-signs': () =>
    after(
      open(),
      changeWallet({ chainId: 137, code: deployed.code }),
      withoutAnswer,
      press('Ember Wallet'),
      see(onPolygon),
    ),
  'smart-account': () => after(enter({ accounts: [deployed] }), see(onPolygon)),
  'game-asks': () => open({ query: '?code=BCDF-GHJK' }),
  waiting: () => after(open(), withoutAnswer, press('Ember Wallet'), see('Look at your wallet')),
  refused: () => after(open(), changeWallet({ errorCode: 4001 }), press('Ember Wallet'), seeAlert),
  'new-user': () => enter(),
  user: richUser,
  name: () => after(richUser(), press('Change the name')),
  'add-wallet': () => after(richUser(), press('Add a wallet')),
  consent: () =>
    after(
      richUser(),
      press('Add a wallet'),
      changeWallet({ accounts: [newAccount()] }),
      chooseIn('Add a wallet'),
      see('The new wallet has signed:'),
    ),
  'remove-wallet': () => after(richUser(), press(/^Remove/)),
  'end-access': () => after(richUser(), press(/^End access/)),
  'sign-out': () => after(richUser(), press('Sign out everywhere')),
  'signed-out': () =>
    after(
      enter(),
      press('Sign out everywhere'),
      ({ page }) =>
        page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click(),
      see('You are signed out everywhere.'),
    ),
  move: async () => {
    const [own, other] = [newAccount(), newAccount()]
    await calls().enter(other)
    return await after(
      enter({ accounts: [own] }),
      changeWallet({ accounts: [other, own] }),
      press('Add a wallet'),
      chooseIn('Add a wallet'),
      chooseIn('Now sign with a wallet that you have'),
      see('Another player has this wallet'),
    )
  },
  'same-network': () => ofGame(true),
  'other-network': () => after(ofGame(false), press('Yes, give access')),
  approved: () =>
    after(
      ofGame(true),
      ({ page }) => page.getByRole('checkbox').check(),
      press('Yes, give access'),
      see('Done'),
    ),
  'unknown-code': () => after(enter({ query: '?code=BCDF-GHJK' }), seeAlert),
}

test.each(Object.keys(states))(
  'D114: in the state %s of /connect, nothing is cut, overlaps or is inaccessible',
  async (name) => {
    const opened = await states[name]?.()
    if (!opened) throw new Error(`no state ${name}`)
    await expectGoodLayout(opened, `connect-${name}`, widths, { fullPage: true })
  },
)
