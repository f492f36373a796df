import { expect } from 'vitest'
import { dynamoFollowNotes } from '../../../lib/adapters/dynamodb/follow-notes.ts'
import { webhookProductKey } from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { dynamoWebhooks } from '../../../lib/adapters/dynamodb/webhooks.ts'
import { delivererName, sweepOfWebhooks } from '../../../lib/contract/background-names.ts'
import { branded } from '../../../lib/domain/branded.ts'
import { toAddress } from '../../../lib/domain/nft/address.ts'
import type { WebhookMessage } from '../../../lib/domain/ports/webhook-delivery.ts'
import { adapterTableOf, storedItems } from '../aws/stored-items.ts'
import { storedKeysIn } from '../aws/stored-keys.ts'
import type { TestAws } from '../aws/test-aws.ts'
import { allowlist } from '../requests/allowlists.ts'
import { nowhere, webhookIn, webhooksOf } from '../requests/webhooks.ts'
import type { GrantedService } from '../services/granted-service.ts'
import { newAddress } from '../services/service.ts'
import { type Drives, ok } from './drives.ts'

/** Another chain than that of the follower's drive, which holds its lease. */
const chain = 'BSC'

/** The drives of the functions of webhooks, where more than an accepted request is needed. */
export function webhookDrives(
  { call, newProduct, iam, deliver }: GrantedService,
  { access, resources }: TestAws,
): Drives {
  const table = adapterTableOf({ aws: access, resources })
  const notes = dynamoFollowNotes(table)
  const { put } = storedItems(table)
  const storedKeys = storedKeysIn(access, resources.tableName)

  /** The messages of a kind that were sent to the queue of the webhooks. */
  const messages = <Kind extends WebhookMessage['kind']>(kind: Kind) =>
    iam.calls.flatMap(({ body }): Extract<WebhookMessage, { kind: Kind }>[] => {
      const message = body.MessageBody ? JSON.parse(body.MessageBody) : {}
      return message.kind === kind ? [message] : []
    })

  async function newWebhook() {
    const apiKey = await newProduct()
    const contract = toAddress(newAddress())
    await allowlist(call, apiKey, { chain, contractAddress: contract, tokens: ['1'] })
    const webhooks = webhooksOf(call, apiKey)
    const { webhookId } = webhookIn(await webhooks.create())
    const { productId } = (await call('GET /product', { apiKey })).json.data
    const set = (fields: object) =>
      dynamoWebhooks(table).change(productId, branded(webhookId), {
        set: { isVerified: true, ...fields },
      })
    return { ...{ apiKey, webhooks, webhookId, productId, contract }, set }
  }

  /** Logs an event of a contract, as a follower does. */
  async function log(address: Awaited<ReturnType<typeof newWebhook>>['contract']): Promise<void> {
    const head = { number: 100, hash: `0x${'5c'.repeat(32)}`, at: Date.now() + 1_000 }
    const entries = ['1', '9'].map((toTokenId, logIndex) => ({
      ...{ block: head, logIndex, transactionHash: '0x7' },
      content: { kind: 'metadata', fromTokenId: '1', toTokenId } as never,
    }))
    await notes.log(chain, [{ contract: address, entries }])
    await notes.lease(chain, 'follower', 60_000)
    const position = { head, confirmedUpTo: head.at, blocks: [head], step: 1 }
    const logged = { loggedUpTo: head, contracts: 1, seen: {} }
    await notes.moveTo(chain, 'follower', { ...position, log: logged }, undefined)
  }

  return {
    // One that is one too many, because others were made at the same time, is taken back.
    async 'create-webhook'() {
      const isTakenBack = () =>
        iam.calls.some(({ caller, permissions }) =>
          permissions.some((each) => caller === 'create-webhook' && each.includes('DeleteItem')),
        )
      while (!isTakenBack()) {
        const apiKey = await newProduct()
        // The first use of a key on a day makes a write.
        await storedKeys.forgetUse(apiKey)
        const webhooks = webhooksOf(call, apiKey)
        for (let count = 0; count < 4; count += 1) webhookIn(await webhooks.create())
        await Promise.all(Array.from({ length: 8 }, () => webhooks.create({ url: nowhere })))
      }
    },
    async 'list-webhooks'() {
      const { webhooks, apiKey } = await newWebhook()
      // The first use of a key on a day makes a write.
      await storedKeys.forgetUse(apiKey)
      await webhooks.list()
    },
    async 'update-webhook'() {
      const { webhooks, webhookId, set } = await newWebhook()
      await set({})
      await ok(webhooks.update(webhookId, { state: 'active' }))
    },
    async 'test-webhook'() {
      const { webhooks, webhookId } = await newWebhook()
      const answer = webhooks.test(webhookId)
      const sent = () => messages('test').find((message) => message.webhookId === webhookId)
      await expect.poll(sent).toBeDefined()
      await deliver(sent() ?? {})
      await ok(answer)
    },
    // It subscribes, fails to deliver and waits, fails once more as a slow one and pauses, and ends the subscriptions.
    async [delivererName]() {
      const { productId, contract, webhookId, set } = await newWebhook()
      await set({})
      await deliver({ kind: 'product', productId })
      await log(contract)
      await deliver({ kind: 'logged', chain, contracts: [contract] })
      const [message] = messages('deliver').filter((each) => each.webhookId === webhookId)
      await deliver(message ?? {})
      await set({ failures: 9, nextAttemptAt: 0, leasedUntil: 0, slowAt: 1 })
      await deliver(message ?? {})
      await set({ pausedAt: 0 })
      await put(webhookProductKey(productId), { addedAt: 0 })
      await deliver(sweepOfWebhooks)
      const swept = messages('product').findLast((each) => each.productId === productId)
      await deliver(swept ?? {})
    },
  }
}
