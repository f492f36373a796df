import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, describe, expect, test } from 'vitest'
import { numbers } from '../../local/samples/samples.ts'
import { tableOf } from '../support/aws/table.ts'
import { allowedTokenIds, allowlist } from '../support/requests/allowlists.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startOwnService({ SWEEP_DELAY_SECONDS: '1' }, afterAll)
const { call, newProduct, stack, log } = service
const table = tableOf(service)
const queue = new SQSClient(stack.aws)
afterAll(() => queue.destroy())

/** The time limit for background work. */
const patience = { interval: 100 }

/** The connection of a contract to a new product, as stored in the table, with these NFTs. */
async function connect(tokens: readonly string[]) {
  const [apiKey, address] = [await newProduct(), newAddress()]
  await allowlist(call, apiKey, { contractAddress: address, tokens })
  const { productId, bindingId } = await connectionOf(address)
  const contract = { chain: 'POLYGON', address, bindingId }
  return { apiKey, address, contract, sweep: { kind: 'sweep', productId, contract } }
}

async function connectionOf(address: string) {
  const items = await table.itemsUnder('PRODUCT#')
  const item = items.find(({ sk }) => sk === `CONTRACT#POLYGON#${address}`)
  return { productId: item?.pk.slice('PRODUCT#'.length), bindingId: item?.['bindingId'] }
}

/** The number of items that the table contains for a connection: its NFTs, and its description. */
const leftUnder = async ({ bindingId }: { bindingId: unknown }) =>
  (await table.itemsUnder(`BINDING#${bindingId}`)).length

const unbind = async (apiKey: string, contractAddress: string) => {
  const query = { contractAddress, chain: 'POLYGON' }
  const answer = await call('DELETE /product/contract', { apiKey, query })
  expect(answer.status, answer.text).toBe(200)
}

const send = async (message: unknown) =>
  await queue.send(
    new SendMessageCommand({
      QueueUrl: stack.resources.queueUrl,
      MessageBody: typeof message === 'string' ? message : JSON.stringify(message),
    }),
  )

/** The log lines of the worker about sweeps for a product. */
const sweepsOf = (productId: unknown) =>
  log
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.kind === 'sweep' && line.productId === productId)

describe('D19: the NFTs of an unbound contract', () => {
  test('are deleted in the background, however many they are', async () => {
    const { apiKey, address, contract, sweep } = await connect(numbers(1, 1_500))
    expect(await leftUnder(contract)).toBe(1_500 + 1)
    await unbind(apiKey, address)
    await expect.poll(() => leftUnder(contract), patience).toBe(0)
    await expect.poll(() => sweepsOf(sweep.productId), patience).toHaveLength(1)
  })

  test('are deleted without a trace of the contract in the table', async () => {
    const { apiKey, address, contract } = await connect(['1'])
    await unbind(apiKey, address)
    await expect.poll(() => leftUnder(contract), patience).toBe(0)
    const items = await table.itemsUnder('')
    expect(items.filter(({ sk }) => sk.includes(address))).toEqual([])
  })
})

describe('D19: the message of a sweep', () => {
  test('does nothing while the contract is connected', async () => {
    const { apiKey, contract, sweep } = await connect(['1', '2', '3'])
    await send(sweep)
    await expect.poll(() => sweepsOf(sweep.productId), patience).toHaveLength(1)
    expect(await leftUnder(contract)).toBe(3 + 1)
    expect(await allowedTokenIds(call, apiKey)).toEqual(['1', '2', '3'])
  })

  test('is carried out beside a message that cannot be read', async () => {
    const { apiKey, address, contract } = await connect(['1'])
    await Promise.all([
      send('{'),
      send({ kind: 'sweep' }),
      send({ kind: 'tidy', productId: 'x', contract }),
      unbind(apiKey, address),
    ])
    await expect.poll(() => leftUnder(contract), patience).toBe(0)
  })
})
