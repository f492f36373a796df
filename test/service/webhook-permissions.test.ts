import { describe, expect } from 'vitest'
import { webhookFunctionNames } from '../../infra/bundle/bundle.ts'
import { awsClient } from '../../lib/adapters/aws/aws-client.ts'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import { webhookProductKey } from '../../lib/adapters/dynamodb/keys/webhook-subscriptions.ts'
import { dynamodb } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoWebhooks } from '../../lib/adapters/dynamodb/webhooks.ts'
import { delivererName, sweepOfWebhooks } from '../../lib/contract/deliverer-name.ts'
import { branded } from '../../lib/domain/branded.ts'
import { toAddress } from '../../lib/domain/nft/address.ts'
import type { WebhookMessage } from '../../lib/domain/ports/webhook-queue.ts'
import { storedItems } from '../support/aws/stored-items.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import { startTestAws } from '../support/aws/test-aws.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { nowhere, webhookIn, webhooksOf } from '../support/requests/webhooks.ts'
import { startGrantedService } from '../support/services/granted-service.ts'
import { testLeastPrivilege } from '../support/services/least-privilege.ts'
import { newAddress } from '../support/services/service.ts'

const aws = await startTestAws()
const client = awsClient(dynamodb, aws.access)
const table = { client, name: aws.resources.tableName, requestsAtOnce: 1 }
const notes = dynamoFollowNotes(table)
const { put } = storedItems(table)
const storedKeys = storedKeysIn(aws.access, aws.resources.tableName)

describe('D124: least privilege, with webhooks', async () => {
  const service = await startGrantedService(aws, {
    ...{ followedChains: ['POLYGON'], webhooks: {}, edge: {} },
    ...{ webhookTestsPerProductAndHour: 10, webhookReplaysPerHour: 4 },
  })
  const { call, newProduct, iam, deliver } = service

  /** The messages of a kind that were sent to the queue of the webhooks. */
  const messages = <Kind extends WebhookMessage['kind']>(kind: Kind) =>
    iam.calls.flatMap(({ body }): Extract<WebhookMessage, { kind: Kind }>[] => {
      const message = body.MessageBody ? JSON.parse(body.MessageBody) : {}
      return message.kind === kind ? [message] : []
    })

  async function newWebhook() {
    const apiKey = await newProduct()
    const contract = toAddress(newAddress())
    await allowlist(call, apiKey, { contractAddress: contract, tokens: ['1'] })
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
    await notes.log('POLYGON', [{ contract: address, entries }])
    await notes.lease('POLYGON', 'follower', 60_000)
    const position = { head, confirmedUpTo: head.at, distrustedBefore: 0, step: 1 }
    const overlap = { blocks: [head], events: {} }
    const logged = { loggedUpTo: head, contracts: 1, seen: {} }
    await notes.moveTo('POLYGON', 'follower', { ...position, overlap, log: logged }, undefined)
  }

  const ok = async (answer: ReturnType<typeof call>) => {
    const { status, text } = await answer
    expect(status, text).toBe(200)
  }

  const drives: Record<string, () => Promise<unknown>> = {
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
    async 'rotate-webhook-secret'() {
      const { webhooks, webhookId } = await newWebhook()
      await ok(webhooks.rotate(webhookId))
    },
    async 'test-webhook'() {
      const { webhooks, webhookId } = await newWebhook()
      const answer = webhooks.test(webhookId)
      const sent = () => messages('test').find((message) => message.webhookId === webhookId)
      await expect.poll(sent).toBeDefined()
      await deliver(sent() ?? {})
      await ok(answer)
    },
    async 'replay-webhook'() {
      const { webhooks, webhookId } = await newWebhook()
      await ok(webhooks.replay(webhookId))
    },
    async 'delete-webhook'() {
      const { webhooks, webhookId } = await newWebhook()
      await ok(webhooks.delete(webhookId))
    },
    // It subscribes, fails to deliver and waits, fails once more and pauses, and ends the subscriptions.
    async [delivererName]() {
      const { productId, contract, webhookId, set } = await newWebhook()
      await set({})
      await deliver({ kind: 'product', productId })
      await log(contract)
      await deliver({ kind: 'logged', chain: 'POLYGON', contracts: [contract] })
      const [message] = messages('deliver').filter((each) => each.webhookId === webhookId)
      await deliver(message ?? {})
      await set({ failures: 9, nextAttemptAt: 0, leasedUntil: 0 })
      await deliver(message ?? {})
      await set({ pausedAt: 0 })
      await put(webhookProductKey(productId), { addedAt: 0 })
      await deliver(sweepOfWebhooks)
      const swept = messages('product').findLast((each) => each.productId === productId)
      await deliver(swept ?? {})
    },
  }

  testLeastPrivilege(service, aws, {
    names: webhookFunctionNames,
    drive: async (name) => {
      await drives[name]?.()
    },
    usedBesides: {
      [delivererName]: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
        (action) => `sqs:${action} on WebhookQueue`,
      ),
    },
  })
})
