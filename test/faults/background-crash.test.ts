import { setTimeout as sleep } from 'node:timers/promises'
import { SendMessageCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { startEventSource } from '@player-nfts/local/lambda/event-source'
import { numbers, samples } from '@player-nfts/local/samples'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { updateItem } from '../../lib/adapters/dynamodb/item-writes.ts'
import { adapterTableOf } from '../support/aws/stored-items.ts'
import type { ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import type { Call } from '../support/requests/client.ts'
import {
  killAfter,
  killAfterEachWrite,
  startKillableService,
} from '../support/services/killable-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startKillableService()
const { deliver } = service
const table = adapterTableOf({ aws: service.aws.access, resources: service.aws.resources })
const sqs = new SQSClient(service.aws.access)
afterAll(() => sqs.destroy())

const requestsOf = (action: string) =>
  service.aws.proxy.requests.filter((request) => request.action === action)

/** The last message that was sent. */
const lastMessage = (): string => requestsOf('SendMessage').at(-1)?.body.MessageBody

/** An unbound contract of a new product with NFTs for three batches, and the message of its sweep. */
async function unboundContract() {
  const apiKey = await service.newProduct()
  const query = { chain: 'POLYGON', contractAddress: newAddress() }
  const allowlist = (tokens: string[]) =>
    service.call('POST /product/tokens', {
      apiKey,
      body: { ...query, contractDescription: 'A contract to be unbound.', tokens },
    })
  await allowlist(numbers(1, 60))
  await service.call('DELETE /product/contract', { apiKey, query })
  const message = lastMessage()
  const { bindingId } = JSON.parse(message).contract
  const allowed = dynamoAllowedTokenIds(table)
  return {
    message,
    allowlist,
    list: async () => (await service.call('GET /product/tokens', { apiKey })).json.data,
    leftBehind: () => allowed.count(bindingId, { until: Number.POSITIVE_INFINITY }),
  }
}

describe('D19: the worker dies while it deletes the NFTs of an unbound contract', () => {
  test('after any of its writes: no NFT reappears, and the next delivery completes the sweep', async () => {
    await killAfterEachWrite(service, 3, async () => {
      const contract = await unboundContract()
      return {
        act: () => deliver(contract.message),
        async afterwards(completed) {
          // The first batch also deletes the description.
          expect(await contract.leftBehind()).toBe([60, 36, 11, 0][completed] ?? expect.anything())
          expect(await contract.list()).toEqual([])
          await contract.allowlist(['99'])
          for (const _ of ['once', 'again']) expect(await deliver(contract.message)).toBe(true)
          expect(await contract.leftBehind()).toBe(0)
          expect(await contract.list()).toHaveLength(1)
        },
      }
    })
  })

  test('the queue delivers its message again', async () => {
    const { access, resources, proxy } = service.aws
    const { queueUrl: QueueUrl } = resources
    await sqs.send(
      new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '1' } }),
    )
    const contract = await unboundContract()
    // The service delays its own message by longer than a test should take.
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: contract.message }))
    const before = proxy.count('BatchWriteItem')
    const isKilled = killAfter(1, service)
    const { region, endpoint = '', credentials } = access
    const source = startEventSource({
      region,
      endpoint,
      credentials,
      queueUrl: QueueUrl,
      invoke: (event) => service.doomed.host.invoke('work-queue', event),
      log: () => undefined,
    })
    onTestFinished(() => source.close())
    while (!isKilled()) await sleep(20)
    service.aws.interfere({})
    while ((await contract.leftBehind()) > 0) await sleep(20)
    expect(proxy.count('BatchWriteItem')).toBeGreaterThan(before + 1)
  })
})

const { address, chain, tokenIds: all } = samples.collections.keepers
const tokenIds = all.slice(0, 320)

/** A product with 320 NFTs: 200 before the response, 120 in the background. */
async function productToRefresh() {
  const apiKey = await service.newProduct()
  const body = { contractAddress: address, chain, contractDescription: 'Lamp keepers.' }
  await service.call('POST /product/tokens', { apiKey, body: { ...body, tokens: tokenIds } })
  return async (call: Call = service.call) => {
    const sent = { apiKey, body: { smartContract: address } }
    const { status, json, text } = await call('POST /tokens/refresh', sent)
    expect(status, text).toBe(200)
    const { checked, failed, pending } = json.data
    return { checked, failed, pending }
  }
}

const whole = { checked: 320, failed: 0, pending: 0 }
const half = { checked: 200, failed: 0, pending: 120 }
const nothing = { checked: 0, failed: 0, pending: 320 }

test('D31: the process of a refresh dies before its response, after any of its writes: the next call checks all NFTs', async () => {
  // The start, the event, the message to the worker, the report, and the end of the event.
  await killAfterEachWrite(service, 5, async () => {
    const refresh = await productToRefresh()
    return {
      act: () => refresh(service.doomed.call).catch(() => undefined),
      async afterwards(completed) {
        expect(await refresh()).toEqual([half, nothing, nothing, nothing, half, half][completed])
        // A refresh that only started prevents the next for at most a minute.
        if (completed === 1 || completed === 2) {
          await passAMinute()
          expect(await refresh()).toEqual(half)
        }
        expect(await deliver(lastMessage())).toBe(true)
        expect(await refresh()).toEqual(whole)
      },
    }
  })
})

const isRefresh = ({ body }: ProxiedRequest) => 'refreshedAt' in body.Item

/** Moves the start of the last refresh back by a minute. */
async function passAMinute(): Promise<void> {
  const { pk, sk, refreshedAt } = requestsOf('PutItem').findLast(isRefresh)?.body.Item ?? {}
  const then = new Date(Date.parse(refreshedAt.S) - 60_000).toISOString()
  await updateItem(table, { pk: pk.S, sk: sk.S }, { set: { refreshedAt: then } })
}
