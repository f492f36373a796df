import { describe, expect, test } from 'vitest'
import { type KeyEntry, keyIn, keysOf } from '../../support/requests/keys.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { saveSecret, signInWith, useDashboard } from './dashboard-page.ts'

const { service, product, open } = useDashboard()

const openPage = async (path: string) => {
  const opened = await open(path)
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

const keys = () => keysOf(service.call, product.apiKey)
const labelled = (entries: KeyEntry[], label: string) => entries.find((key) => key.label === label)
const sessionKey = (page: BrowserPage) =>
  page.evaluate(() => sessionStorage.getItem('player-nfts.api-key') ?? '')

/** Goes to the page Keys, and creates a key there. */
async function createKey(page: BrowserPage) {
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await page.getByRole('button', { name: 'Create a key' }).click()
  const form = page.getByRole('dialog', { name: 'Create a key' })
  await form.getByLabel('Label').fill('Game servers')
  await form.getByRole('button', { name: 'Create' }).click()
}

const saveNewKey = (page: BrowserPage) => saveSecret(page, { title: 'The new key', name: 'key' })

describe('Keys', () => {
  test('D46: lists the keys, with those that have ended', async () => {
    await keys().create({ label: 'Game servers', scope: 'READ', expiresAt: '2099-01-31T12:00:00Z' })
    const { keyId } = keyIn(await keys().create({ label: 'Former tools' }))
    await keys().end(keyId)
    const { page, expectGoodLayout } = await openPage('/keys')
    const row = page.getByRole('listitem').filter({ hasText: 'Registration' })
    await row.getByText('signed in').waitFor()
    expect(await row.textContent()).toContain(`…${product.apiKey.slice(-4)}`)
    const game = page.getByRole('listitem').filter({ hasText: 'Game servers' })
    expect(await game.textContent()).toMatch(/Read.*2099/)
    await page.getByText('No longer working (1), for 90 days').click()
    await page.getByText('Former tools').waitFor()
    await expectGoodLayout('keys')
  })

  test('creates a key, which is shown once', async () => {
    const { page, expectGoodLayout } = await openPage('/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a key' })
    // Typing begins in the first field, and Enter sends the form.
    await page.locator('dialog input:focus').waitFor()
    await expectGoodLayout('create-key')
    await page.keyboard.type('x')
    await page.keyboard.press('Enter')
    expect(await dialog.getByLabel('Label').inputValue()).toBe('x')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('The label must be 2 to 100 characters long.').waitFor()
    await dialog.getByLabel('Label').fill('Game servers')
    await dialog.getByLabel('The key expires').selectOption('30')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const made = await saveNewKey(page)
    await page.getByRole('listitem').filter({ hasText: 'Game servers' }).waitFor()
    const entry = labelled(await keys().list(), 'Game servers')
    expect(entry).toMatchObject({ scope: 'READ', last4: made.slice(-4) })
    const days = (Date.parse(entry?.expiresAt ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)
    expect(await page.content()).not.toContain(made)
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(made)
  })

  test('D79: rotates the key of the session, shows the new one also after a reload, and continues with it', async () => {
    const { page, expectGoodLayout } = await openPage('/keys')
    await page.getByRole('button', { name: 'Rotate Registration' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rotate a key' })
    await dialog.getByText('this page continues with the new one').waitFor()
    await expectGoodLayout('rotate-key')
    await dialog.getByLabel('The old key still works').selectOption('0')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('dialog', { name: 'The new key' }).waitFor()
    await page.reload()
    const made = await saveNewKey(page)
    expect(await sessionKey(page)).toBe(made)
    expect((await service.call('GET /product', product)).status).toBe(401)
    await page.getByText('signed in').waitFor()
    await page.getByRole('link', { name: 'Game', exact: true }).click()
    await page.getByRole('heading', { name: 'Registration' }).waitFor()
  })

  test('D79: a new key that is not saved stays through Back, a reload and a refused session', async () => {
    const { page } = await openPage('/product')
    await createKey(page)
    const dialog = page.getByRole('dialog', { name: 'The new key Game servers' })
    const shown = await dialog.locator('code').textContent()
    await page.goBack()
    await page.waitForURL('**/product')
    expect(await dialog.locator('code').textContent()).toBe(shown)
    const { keyId } = labelled(await keys().list(), 'Registration') as KeyEntry
    const other = keyIn(await keys().create({ label: 'The way in', scope: 'MANAGE' })).apiKey
    await keys().end(keyId)
    await page.reload()
    await page.getByText('The service no longer accepts your API key.').waitFor()
    expect(await saveNewKey(page)).toBe(shown)
    await signInWith(page, other)
    await page.waitForURL('**/product')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(shown)
  })

  test('D79: a key that is made while the user signs out is not shown to another product', async () => {
    const { page } = await openPage('/product')
    const signedOut = Promise.withResolvers<void>()
    await page.route('**/api/public/v1/product/keys', async (route) => {
      if (route.request().method() === 'POST') await signedOut.promise
      await route.continue()
    })
    await createKey(page)
    await page.goBack()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signInWith(page, await service.newProduct())
    await page.waitForURL('**/product')
    const made = page.waitForResponse((answer) => answer.request().method() === 'POST')
    signedOut.resolve()
    const { data } = await (await made).json()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByText('signed in').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(data.apiKey)
  })

  test('ends a key after a confirmation, and says why the last one must stay', async () => {
    await keys().create({ label: 'Former tools' })
    const { page, expectGoodLayout } = await openPage('/keys')
    await page.getByRole('button', { name: 'Revoke Former tools' }).click()
    expect(await page.locator('dialog :focus').innerText()).toBe('Cancel')
    await expectGoodLayout('revoke-key')
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(labelled(await keys().list(), 'Former tools')?.endedAt).toBe(null)
    await page.getByRole('button', { name: 'Revoke Former tools' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('No longer working (1), for 90 days').waitFor()
    expect(labelled(await keys().list(), 'Former tools')?.endReason).toBe('deleted')
    await page.getByRole('button', { name: 'Revoke Registration' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('This key cannot be revoked.').waitFor()
    await expectGoodLayout('last-key')
  })
})

describe('Game', () => {
  const stored = async () => (await service.call('GET /product', product)).json.data

  test('D45: changes only the fields that are different, and can remove them', async () => {
    const { page } = await openPage('/product')
    await page.getByLabel('Website').fill('www.brindlewake.example')
    await page.getByLabel('Company', { exact: true }).fill('Gull Harbour')
    await page.reload()
    expect(await page.getByLabel('Website').inputValue()).toBe('www.brindlewake.example')
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'PATCH'),
      page.getByRole('button', { name: 'Save' }).click(),
    ])
    const changes = { website: 'www.brindlewake.example', companyName: 'Gull Harbour' }
    expect(request.postDataJSON()).toEqual(changes)
    await page.getByText('Saved.').waitFor()
    await page.getByLabel('Website').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await stored()).website).toBeUndefined()
  })

  test('names what the API refuses at its field, until it is discarded', async () => {
    const { page, expectGoodLayout } = await openPage('/product')
    const website = page.getByLabel('Website')
    const refused = page.getByText('This field must be an http or https URL')
    await website.fill('ftp://brindlewake.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await refused.waitFor()
    expect(await website.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('[aria-invalid]').count()).toBe(1)
    await expectGoodLayout('product-refused')
    await page.getByRole('button', { name: 'Discard the changes' }).click()
    expect(await refused.count()).toBe(0)
    expect(await website.inputValue()).toBe('')
    expect(await stored()).not.toHaveProperty('website')
  })

  test('D51: permits games to read without a key', async () => {
    const { page } = await openPage('/product')
    await page.getByLabel('Games read the NFTs of their players').check()
    await page.getByText('Games can read without a key.').waitFor()
    expect((await stored()).clientAccess).toBe(true)
  })

  test('D45: is deleted after its name is typed', async () => {
    const { page, expectGoodLayout } = await openPage('/product')
    await page.getByRole('button', { name: 'Delete…' }).click()
    const confirm = page.getByRole('button', { name: 'Delete for good' })
    await confirm.waitFor()
    await expectGoodLayout('delete-product')
    await page.getByLabel('Type the name').fill('Lanterns')
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel('Type the name').fill('Lanterns of Brindlewake')
    await confirm.click()
    await page.getByText('The game is deleted.').waitFor()
    expect(await sessionKey(page)).toBe('')
    expect((await service.call('GET /product', product)).status).toBe(401)
  })
})
