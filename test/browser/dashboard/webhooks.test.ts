import { describe, expect, test } from 'vitest'
import type { Webhook } from '../../../clients/typescript/src/types.ts'
import { serve } from '../../support/services/http-server.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { saveSecret, useDashboard } from './dashboard-page.ts'
import { inEachWindow } from './layout-faults.ts'
import { giveWebhooks, manyWebhooks, webhookIn, withoutWebhooks } from './webhook-states.ts'

const { service, product, open } = useDashboard()

const openPage = async () => {
  const opened = await open('/webhooks')
  await opened.page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  return opened
}

const webhooks = async (): Promise<Webhook[]> =>
  (await service.call('GET /product/webhooks', product)).json.data.webhooks

const create = async (url: string): Promise<Webhook> =>
  (await service.call('POST /product/webhooks', { ...product, body: { url } })).json.data

/** Starts a server that answers tests of webhooks, until the test ends. */
async function startReceivingServer() {
  const receiver = { url: '', received: [] as string[], status: 200, isKnowing: true }
  const origin = await serve(async (request, response) => {
    const { type, data } = JSON.parse((await request.toArray()).join(''))
    receiver.received.push(type)
    response.statusCode = receiver.status
    response.end(receiver.isKnowing ? data.challenge : 'hello')
  })
  receiver.url = `${origin}/events`
  return receiver
}

/** A webhook whose server has answered a test. */
async function verified() {
  const server = await startReceivingServer()
  const { webhookId } = await create(server.url)
  await service.call('POST /product/webhooks/{webhookId}/test', { ...product, path: { webhookId } })
  return server
}

const row = (page: BrowserPage, url: string) =>
  page.getByRole('listitem').filter({ hasText: url }).first()

/** Opens the dialog of an action in the menu of the only webhook. */
async function choose(page: BrowserPage, item: string, title: string) {
  await page.locator('.menu > summary').click()
  await page.getByRole('button', { name: item }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  return dialog
}

const saveNewSecret = (page: BrowserPage, note: string) =>
  saveSecret(page, { title: 'The new secret', name: 'secret', note })

describe('Webhooks', () => {
  test('D121: is created, shows its secret once, and is verified by a test', async () => {
    const server = await startReceivingServer()
    const { page, expectGoodLayout } = await openPage()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    await page.getByRole('button', { name: 'Create the first webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a webhook' })
    await page.locator('dialog input:focus').waitFor()
    await page.keyboard.type(server.url)
    await dialog.getByRole('checkbox', { name: 'nft.metadata_changed' }).uncheck()
    await dialog.getByLabel('Description').fill('Game server')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'The new secret' }).waitFor()
    await page.reload()
    const secret = await saveNewSecret(page, 'Then test the webhook on this page')
    expect(secret).toMatch(/^whsec_/)
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(secret)
    const events = ['nft.transferred', 'events.missed']
    const [entry] = await webhooks()
    expect(entry).toMatchObject({ url: server.url, events, description: 'Game server' })
    await row(page, server.url).getByText('Not verified').waitFor()
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText(/The server answered the test in \d+ ms\./).waitFor()
    await row(page, server.url).getByText('Active', { exact: true }).waitFor()
    expect(server.received).toEqual(['webhook.test'])
    await expectGoodLayout('webhook-tested')
  })

  test('a test that is not delivered says why, and the webhook stays as it is', async () => {
    const server = await startReceivingServer()
    await create(server.url)
    const { page, expectGoodLayout } = await openPage()
    const test = page.getByRole('button', { name: 'Test' })
    server.isKnowing = false
    await test.click()
    await page.getByText('The server did not answer with the challenge of the test.').waitFor()
    await page.getByText('data.challenge').waitFor()
    await expectGoodLayout('webhook-not-delivered')
    server.status = 500
    await test.click()
    await page.getByText('The server answered with the status 500 in place of 200.').waitFor()
    await row(page, server.url).getByText('Not verified').waitFor()
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0)
  })

  test('D120: a URL that the service refuses is named at its field', async () => {
    const { page, expectGoodLayout } = await openPage()
    await page.getByRole('button', { name: 'Create the first webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a webhook' })
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Write the URL of your server.').waitFor()
    for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck()
    await dialog.getByText('Choose at least one type.').waitFor()
    await dialog.getByLabel('URL').focus()
    await expectGoodLayout('create-webhook')
    await dialog.getByLabel('URL').fill('https://10.0.0.1/events')
    await dialog.getByRole('checkbox', { name: 'events.missed' }).check()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('This field must have a public host name').waitFor()
    expect(await dialog.getByLabel('URL').getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Create the first webhook')
  })

  test('D121: pauses and resumes', async () => {
    const { url } = await verified()
    const { page } = await openPage()
    await page.getByRole('button', { name: 'Pause' }).click()
    await row(page, url).getByText('Paused', { exact: true }).waitFor()
    await page.getByText('If it is resumed within a day, none is lost.').waitFor()
    expect((await webhooks())[0]?.state).toBe('paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await row(page, url).getByText('Active', { exact: true }).waitFor()
    expect((await webhooks())[0]?.state).toBe('active')
  })

  test('D121: another URL must be verified again, and only what is different is sent', async () => {
    const { url } = await verified()
    const { page, expectGoodLayout } = await openPage()
    const dialog = await choose(page, 'Edit…', 'Edit a webhook')
    await dialog.getByLabel('Description').fill('Game server 2')
    await dialog.getByRole('checkbox', { name: 'events.missed' }).uncheck()
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'PATCH'),
      dialog.getByRole('button', { name: 'Save' }).click(),
    ])
    const events = ['nft.transferred', 'nft.metadata_changed']
    expect(request.postDataJSON()).toEqual({ events, description: 'Game server 2' })
    await row(page, url).getByText('Game server 2').waitFor()
    await row(page, url).getByText('Active', { exact: true }).waitFor()
    await choose(page, 'Edit…', 'Edit a webhook')
    await dialog.getByLabel('URL').fill(`${url}/2`)
    await dialog.getByText('until the server at the new URL has answered a test').waitFor()
    await expectGoodLayout('edit-webhook')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row(page, `${url}/2`).getByText('Not verified').waitFor()
    expect(await webhooks()).toMatchObject([{ url: `${url}/2`, state: 'unverified', events }])
  })

  test('D123: rotates the secret, and shows until when the old one signs', async () => {
    const { url } = await verified()
    const { page, expectGoodLayout } = await openPage()
    const dialog = await choose(page, 'Rotate secret…', 'Rotate a secret')
    await dialog.getByLabel('The old secret still signs').selectOption('3600')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    expect(await saveNewSecret(page, 'before the old secret ends')).toMatch(/^whsec_/)
    expect(await row(page, url).textContent()).toMatch(/Old secret ends.*in (59|60) minutes|1 hour/)
    await choose(page, 'Rotate secret…', 'Rotate a secret')
    await dialog.getByLabel('The old secret still signs').selectOption('0')
    await dialog.getByText('until it has the new secret').waitFor()
    await expectGoodLayout('rotate-secret')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await saveNewSecret(page, 'the old secret has ended')
    await expect.poll(() => row(page, url).textContent()).not.toContain('Old secret')
  })

  test('D121: replays the events of the last days', async () => {
    await verified()
    const { page, expectGoodLayout } = await openPage()
    const dialog = await choose(page, 'Replay…', 'Replay events')
    await dialog.getByLabel('Events to send again').selectOption('time')
    await dialog.getByRole('button', { name: 'Replay' }).click()
    await dialog.getByText('Choose a time.').waitFor()
    await dialog.getByLabel('Since').fill('2020-01-01T12:00')
    await dialog.getByText('The time must be in the last 7 days.').waitFor()
    await expectGoodLayout('replay')
    await dialog.getByLabel('Events to send again').selectOption('604800')
    await dialog.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('The events are sent again.').waitFor()
    expect(await dialog.count()).toBe(0)
    // The menu from which the dialog was opened has the focus again.
    expect(await page.locator('summary:focus').count()).toBe(1)
  })

  test('is deleted after a confirmation that names it', async () => {
    const { url } = await verified()
    const { page } = await openPage()
    const dialog = await choose(page, 'Delete…', 'Delete this webhook?')
    expect(await page.locator('dialog :focus').innerText()).toBe('Cancel')
    await dialog.getByText(url).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await webhooks()).toHaveLength(1)
    await choose(page, 'Delete…', 'Delete this webhook?')
    await dialog.getByRole('button', { name: 'Delete the webhook' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    expect(await webhooks()).toEqual([])
    expect(await page.locator('h1:focus').count()).toBe(1)
  })

  test('what follows from a change is shown without a click', async () => {
    const { url } = await verified()
    const { page } = await openPage()
    await row(page, url).getByText('Active', { exact: true }).waitFor()
    const failing = { ...manyWebhooks(), webhooks: [webhookIn('failing', { url, failures: 1 })] }
    await giveWebhooks(() => failing)(page)
    await choose(page, 'Replay…', 'Replay events')
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
    await page.getByText('The events are sent again.').waitFor()
    await row(page, url).getByText('Failing', { exact: true }).waitFor()
  })
})

describe('Webhooks: what the page says', () => {
  test('says everything about each state, also of later versions, and each menu opens inside the window', async () => {
    const { page, expectGoodLayout } = await open('/webhooks', {
      prepare: giveWebhooks(manyWebhooks),
    })
    await page.getByText('Events are missing on BSC, ETHEREUM.').waitFor()
    await page.getByText('Your game has too many contracts for events.').waitFor()
    const failing = await row(page, '/failing').innerText()
    expect(failing).toMatch(/Failed attempts\s3, the next in 25 minutes/)
    expect(failing).toMatch(/Pending\s12 minutes behind/)
    expect(failing).toContain(
      'The server answered with the status 500 in place of 200. 5 minutes ago',
    )
    expect(await row(page, '/paused').innerText()).toContain('The host of the URL was not found.')
    const later = await row(page, '/of_a_later_version').innerText()
    expect(later).toContain('failure_of_a_later_version')
    expect(later).toContain('nft.of_a_later_version')
    await row(page, '/failing').getByRole('button', { name: 'Try now' }).waitFor()
    await expectGoodLayout('webhooks')
    const cut: string[] = []
    await inEachWindow(page, [320, 360, 768, 1280], async (width) => {
      for (const menu of await page.locator('.menu').all()) {
        await menu.locator('summary').click()
        const box = await menu.locator('.menu-items').boundingBox()
        if (!box || box.x < 0 || box.x + box.width > width) cut.push(`${width}: ${box?.x}`)
        await page.keyboard.press('Escape')
      }
    })
    expect(cut).toEqual([])
    const menus = page.locator('.menu > summary')
    await menus.first().click()
    await expectGoodLayout('webhooks-menu')
    // That of the webhook with a long URL.
    await menus.nth(1).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').waitFor()
    await expectGoodLayout('delete-webhook')
  })

  test('a deployment without webhooks says so', async () => {
    const { page, expectGoodLayout } = await open('/webhooks', { prepare: withoutWebhooks })
    await page.getByText('This deployment of the service has no webhooks.').waitFor()
    await expectGoodLayout('webhooks-absent')
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0)
  })
})
