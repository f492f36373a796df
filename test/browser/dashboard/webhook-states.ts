import type { Webhook, Webhooks } from '../../../clients/typescript/src/types.ts'
import { exampleWebhook } from '../../../lib/contract/documentation/webhooks.ts'
import { answering } from './dashboard-page.ts'

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

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
