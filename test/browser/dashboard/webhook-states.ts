import type { BrowserPage } from '../chromium/browser.ts'
import {
  button,
  failed,
  heading,
  loading,
  opened,
  refused,
  stalled,
  type ViewState,
} from './view-state.ts'
import { giveWebhooks, manyWebhooks, withoutWebhooks } from './webhook-answers.ts'

const many = giveWebhooks(manyWebhooks)

const ofActive = (item: string, dialog: string) => async (page: BrowserPage) => {
  await page.locator('.menu > summary').first().click()
  await opened(item, dialog)(page)
}

/** The states of the page Webhooks. */
export const webhookStates: readonly ViewState[] = [
  { name: 'webhooks-empty', visitor: 'new', path: '/webhooks', reach: heading('Webhooks') },
  {
    name: 'webhooks',
    visitor: 'new',
    path: '/webhooks',
    prepare: many,
    reach: heading('Webhooks'),
  },
  {
    name: 'webhooks-menu',
    visitor: 'new',
    path: '/webhooks',
    prepare: many,
    async reach(page) {
      await page.locator('.menu > summary').first().click()
      await button(page, 'Replay…').waitFor()
    },
  },
  {
    name: 'webhooks-absent',
    visitor: 'new',
    path: '/webhooks',
    prepare: withoutWebhooks,
    reach: heading('Webhooks'),
  },
  {
    name: 'webhooks-failed',
    visitor: 'new',
    path: '/webhooks',
    prepare: refused('/product/webhooks'),
    reach: failed,
  },
  {
    name: 'webhooks-loading',
    visitor: 'new',
    path: '/webhooks',
    prepare: stalled('/product/webhooks'),
    reach: loading,
  },
  {
    name: 'create-webhook',
    visitor: 'new',
    path: '/webhooks',
    prepare: many,
    async reach(page) {
      await opened('Create a webhook', 'Create a webhook')(page)
      const dialog = page.getByRole('dialog')
      for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck()
      await dialog.getByRole('button', { name: 'Create' }).click()
      await dialog.getByLabel('URL').focus()
    },
  },
  {
    name: 'edit-webhook',
    visitor: 'new',
    path: '/webhooks',
    prepare: many,
    async reach(page) {
      await ofActive('Edit…', 'Edit a webhook')(page)
      await page.getByLabel('URL').fill('https://games.brindlewake.example/new')
    },
  },
  {
    name: 'rotate-secret',
    visitor: 'new',
    path: '/webhooks',
    prepare: many,
    async reach(page) {
      await ofActive('Rotate secret…', 'Rotate a secret')(page)
      await page.getByLabel('The old secret still signs').selectOption('0')
    },
  },
  {
    name: 'replay',
    visitor: 'new',
    path: '/webhooks',
    prepare: many,
    async reach(page) {
      await ofActive('Replay…', 'Replay events')(page)
      await page.getByLabel('Events to send again').selectOption('time')
      await button(page, 'Replay').last().click()
      await page.getByLabel('Since').focus()
    },
  },
  {
    name: 'delete-webhook',
    visitor: 'new',
    path: '/webhooks',
    prepare: many,
    reach: ofActive('Delete…', 'Delete this webhook?'),
  },
]
