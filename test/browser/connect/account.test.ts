import type { Account } from '@player-nfts/local/samples/sample-account'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/sign-in/account.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { chooseWallet, useConnect } from './connect-page.ts'

const { open, enter, calls, service } = useConnect()

const button = (page: BrowserPage, name: string | RegExp) => page.getByRole('button', { name })
const dialogOf = (page: BrowserPage, name: string) => page.getByRole('dialog', { name })

const shown = (page: BrowserPage) =>
  page
    .locator('.wallet-address code')
    .evaluateAll((codes) => codes.map((code) => code.getAttribute('title')))

const longName = 'Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww مرحبا'

const userOf = async (account: Account) => (await calls().enter(account)).user

test('D114: a new user chooses a name, and changes it with a signature', async () => {
  const account = newAccount()
  const { page, wallet } = await enter({ accounts: [account] })
  await button(page, 'Save the name').click()
  await page.getByText('Enter a name.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('  ember_wren ')
  wallet.errorCode = 4001
  await button(page, 'Save the name').click()
  await page.getByRole('alert').getByText('You closed the wallet.').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('  ember_wren ')
  wallet.errorCode = undefined
  await button(page, 'Save the name').click()
  await page.getByRole('heading', { name: 'Hello, ember_wren' }).waitFor()
  expect((await userOf(account)).username).toBe('ember_wren')
  await button(page, 'Change the name').click()
  expect(await page.locator('input:focus').inputValue()).toBe('ember_wren')
})

test('D114: a wallet is added, also one that the wallet offers only when it is asked', async () => {
  const [first, second] = [newAccount(), newAccount()]
  const { page, wallet, expectGoodLayout } = await enter({ accounts: [first] })
  expect(await button(page, /^Remove/).count()).toBe(0)
  await page.getByText('This is your only wallet, so it stays.').waitFor()
  await button(page, 'Add a wallet').click()
  await expectGoodLayout('connect-add-wallet')
  const dialog = dialogOf(page, 'Add a wallet')
  await chooseWallet(dialog)
  await dialog.getByText('You closed the wallet. Nothing happened.').waitFor()
  wallet.chosen = first
  await chooseWallet(dialog)
  await dialog.getByText('Your wallet is on another account.').waitFor()
  wallet.chosen = second
  await chooseWallet(dialog)
  const consent = dialogOf(page, 'Now sign with a wallet that you have')
  await consent.getByTitle(second.address).waitFor()
  await consent.getByTitle(first.address).waitFor()
  await expectGoodLayout('connect-consent')
  expect(wallet.signed.at(-1)).toContain('\nAdd this wallet to ')
  await chooseWallet(consent)
  await consent.getByText('Your wallet is on another account.').waitFor()
  expect(await userOf(first)).toMatchObject({ wallets: [{ address: first.address }] })
  wallet.chosen = first
  await chooseWallet(consent)
  await page.getByText('The wallet is added.').waitFor()
  expect(await shown(page)).toEqual([first.address, second.address])
  expect(wallet.signed.at(-1)).toMatch(/\nAdd the wallet 0x[\da-fA-F]{40} to /)
  expect((await userOf(second)).userId).toBe((await userOf(first)).userId)
})

test('D144: the new wallet signs again after the service has refused, and who has lost the only one is told', async () => {
  const [first, second] = [newAccount(), newAccount()]
  const { page, wallet, misdeeds } = await enter({ accounts: [first] })
  await page.getByText('If you lose it, you can add no other one', { exact: false }).waitFor()
  wallet.accounts = [second, first]
  await button(page, 'Add a wallet').click()
  const [adding, consent] = [
    dialogOf(page, 'Add a wallet'),
    dialogOf(page, 'Now sign with a wallet that you have'),
  ]
  await adding.getByText('If you have lost your only wallet, you can add none.').waitFor()
  await chooseWallet(adding)
  const contentType = 'application/problem+json'
  const answer = { status: 401, contentType, json: { code: 'message_expired' } }
  const url = '**/api/public/v1/login/user/wallets'
  await page.route(url, (route) => route.fulfill(answer))
  await chooseWallet(consent)
  await adding.getByText('You took a little too long to sign.').waitFor()
  misdeeds.errors.length = 0
  await page.unroute(url)
  await chooseWallet(adding)
  await chooseWallet(consent)
  await page.getByText('The wallet is added.').waitFor()
  expect(wallet.signed).toHaveLength(5)
})

test('D114: a wallet of another user moves only after the page has said what stays behind', async () => {
  const [own, other] = [newAccount(), newAccount()]
  const before = await userOf(other)
  const { page, wallet, expectGoodLayout } = await enter({ accounts: [own] })
  wallet.accounts = [other, own]
  const askToAdd = async () => {
    await button(page, 'Add a wallet').click()
    for (const name of ['Add a wallet', 'Now sign with a wallet that you have']) {
      await chooseWallet(dialogOf(page, name))
    }
  }
  await askToAdd()
  const dialog = dialogOf(page, 'Another player has this wallet')
  await dialog
    .getByText('The progress of that player in games stays behind', { exact: false })
    .waitFor()
  await expectGoodLayout('connect-move')
  expect((await userOf(other)).userId).toBe(before.userId)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await shown(page)).toEqual([own.address])
  await askToAdd()
  await dialog.getByRole('button', { name: 'Move the wallet to me' }).click()
  await page.getByText('The wallet is yours now.').waitFor()
  expect(await shown(page)).toEqual([own.address, other.address])
  expect(wallet.signed.at(-1)).toContain('\nMove this wallet ')
  expect((await userOf(other)).userId).not.toBe(before.userId)
})

test('D109, D114: a wallet is removed with itself or an older one, and not with a newer one', async () => {
  const [first, second] = [newAccount(), newAccount()]
  const { session } = await calls().enter(first, { username: longName })
  const body = await calls().signToAdd(second, first, session)
  await service.call('POST /login/user/wallets', { body, session })
  const { page, wallet, expectGoodLayout } = await enter({ accounts: [first] })
  await expectGoodLayout('connect-user')
  await button(page, 'Change the name').click()
  await expectGoodLayout('connect-name')
  const remove = async (address: string) => {
    await button(page, `Remove ${address.slice(0, 6)}…${address.slice(-4)}`).click()
    await chooseWallet(dialogOf(page, 'Remove this wallet?'))
  }
  wallet.accounts = [second]
  wallet.chosen = second
  await remove(first.address)
  await page.getByText('Your wallet is on another account.').waitFor()
  await expectGoodLayout('connect-remove-wallet')
  await page.keyboard.press('Escape')
  wallet.accounts = [first]
  await remove(second.address)
  await page.getByText('The wallet is removed.').waitFor()
  expect(await shown(page)).toEqual([first.address])
  expect(wallet.signed.at(-1)).toContain('\nRemove the wallet ')
  expect((await userOf(second)).userId).not.toBe((await userOf(first)).userId)
})

test('D114: the page lists the games with access, and ends that of one', async () => {
  const account = newAccount()
  const { newGame, sign, signIn, refresh } = calls()
  const games = [await newGame(), await newGame()]
  const tokens: string[] = []
  for (const { productId } of games) {
    const { json } = await signIn({ ...(await sign(account, { productId })), productId })
    tokens.push(json.data.refreshToken)
  }
  const { page, expectGoodLayout } = await enter({ accounts: [account] })
  await button(page, 'End access Ember').first().waitFor()
  await expectGoodLayout('connect-games')
  await button(page, 'End access Ember').first().click()
  const dialog = dialogOf(page, 'End the access of Ember?')
  await dialog.getByText('24 hours', { exact: false }).waitFor()
  await expectGoodLayout('connect-end-access')
  await dialog.getByRole('button', { name: 'End access' }).click()
  await page.getByText('The access is ended.').waitFor()
  await expect.poll(() => button(page, 'End access Ember').count()).toBe(1)
  const valid = await Promise.all(
    games.map(
      async ({ productId }, index) => (await refresh(productId, tokens[index] ?? '')).status,
    ),
  )
  expect(valid.toSorted()).toEqual([200, 400])
})

test('D114: the page signs out everywhere, and says that game servers can notice it a day later', async () => {
  const account = newAccount()
  const { page, expectGoodLayout } = await enter({ accounts: [account] })
  const { session } = await calls().enter(account)
  await button(page, 'Sign out everywhere').click()
  const dialog = dialogOf(page, 'Sign out everywhere?')
  await dialog.getByText('see nothing of it for up to 24 hours', { exact: false }).waitFor()
  await expectGoodLayout('connect-sign-out')
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByText('You are signed out everywhere.').waitFor()
  await expectGoodLayout('connect-signed-out')
  expect((await service.call('GET /login/user', { session })).status).toBe(401)
})

test('D114: the page says so when nothing answers', async () => {
  const { page, misdeeds } = await open()
  let requests = 0
  await page.route('**/api/public/v1/login/message', (route) => {
    requests += 1
    return route.abort()
  })
  await chooseWallet(page)
  await page.getByText('There was no answer.').waitFor()
  expect(requests).toBe(1)
  misdeeds.errors.length = 0
  await page.unroute('**/api/public/v1/login/message')
  const json = { code: 'service_unavailable' }
  await page.route('**/api/public/v1/login', (route) => route.fulfill({ status: 503, json }))
  await chooseWallet(page)
  await page.getByText('The service cannot do this at the moment.').waitFor()
})
