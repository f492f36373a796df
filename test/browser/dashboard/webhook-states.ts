import type { Webhook, Webhooks } from '../../../clients/typescript/src/types.ts'
import { exampleWebhook } from '../../../lib/contract/documentation/webhooks.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { answering } from './dashboard-page.ts'
import {
  button,
  failed,
  heading,
  loading,
  opened,
  refused,
  seenBy,
  stalled,
  type ViewState,
} from './view-state.ts'

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

/** A webhook in this state. */
export const webhookIn = (state: string, changes: Partial<Webhook> = {}): Webhook => ({
  ...exampleWebhook,
  events: [...exampleWebhook.events],
  webhookId: `wh_${state.padEnd(22, '0')}`,
  url: `https://games.brindlewake.example/${state}`,
  state: state as Webhook['state'],
  lastDeliveredAt: ago(7_200),
  ...changes,
})

const longUrl = `https://${'nft-events.'.repeat(8)}brindlewake.example/${'inbox/'.repeat(20)}?token=${'4f'.repeat(60)}`

/** A webhook in each state, with everything that the page can say of one, and two notices. */
export const manyWebhooks = (): Webhooks => ({
  webhooks: [
    webhookIn('active', { oldSecretEndsAt: ago(-80_000) }),
    webhookIn('unverified', { url: longUrl, lastDeliveredAt: null, description: '' }),
    webhookIn('failing', {
      failures: 3,
      lastFailure: { at: ago(300), code: 'unexpected_status', status: 500 },
      pendingSince: ago(750),
      behindSeconds: 750,
      nextAttemptAt: ago(-1_500),
    }),
    webhookIn('paused', {
      events: ['events.missed'],
      description: 'W'.repeat(500),
      failures: 10,
      lastFailure: { at: ago(90_000), code: 'host_not_found', status: null },
    }),
    webhookIn('of_a_later_version', {
      events: ['nft.of_a_later_version'],
      lastFailure: { at: ago(90_000), code: 'failure_of_a_later_version', status: null },
    }),
  ],
  notFollowed: ['BSC', 'ETHEREUM'],
  contractsOverLimit: true,
})

/** Lets the page see these webhooks in place of the service's, because theirs have a history only after hours. */
export const giveWebhooks = (answer: () => Webhooks) =>
  answering('**/api/public/v1/product/webhooks', async (route) => {
    if (route.request().method() !== 'GET') return await route.fallback()
    await route.fulfill({ json: { data: answer(), success: true } })
  })

/** What API Gateway answers in a deployment without webhooks. */
export const withoutWebhooks = answering('**/api/public/v1/product/webhooks', (route) =>
  route.fulfill({ status: 404, json: { message: 'Not Found' } }),
)

/** A state of the page Webhooks, by default with many webhooks. */
const webhooks = (
  name: string,
  reach: ViewState['reach'],
  prepare: ViewState['prepare'] = giveWebhooks(manyWebhooks),
) => seenBy('new')(name, '/webhooks', reach, prepare)

const ofActive = (item: string, dialog: string) => async (page: BrowserPage) => {
  await page.locator('.menu > summary').first().click()
  await opened(item, dialog)(page)
}

/** The states of the page Webhooks. */
export const webhookStates: readonly ViewState[] = [
  webhooks('webhooks-empty', heading('Webhooks'), async () => undefined),
  webhooks('webhooks', heading('Webhooks')),
  webhooks('webhooks-menu', async (page) => {
    await page.locator('.menu > summary').first().click()
    await button(page, 'Replay…').waitFor()
  }),
  webhooks('webhooks-absent', heading('Webhooks'), withoutWebhooks),
  webhooks('webhooks-failed', failed, refused('/product/webhooks')),
  webhooks('webhooks-loading', loading, stalled('/product/webhooks')),
  webhooks('create-webhook', async (page) => {
    await opened('Create a webhook', 'Create a webhook')(page)
    const dialog = page.getByRole('dialog')
    for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByLabel('URL').focus()
  }),
  webhooks('edit-webhook', async (page) => {
    await ofActive('Edit…', 'Edit a webhook')(page)
    await page.getByLabel('URL').fill('https://games.brindlewake.example/new')
  }),
  webhooks('rotate-secret', async (page) => {
    await ofActive('Rotate secret…', 'Rotate a secret')(page)
    await page.getByLabel('The old secret still signs').selectOption('0')
  }),
  webhooks('replay', async (page) => {
    await ofActive('Replay…', 'Replay events')(page)
    await page.getByLabel('Events to send again').selectOption('time')
    await button(page, 'Replay').last().click()
    await page.getByLabel('Since').focus()
  }),
  webhooks('delete-webhook', ofActive('Delete…', 'Delete this webhook?')),
]
