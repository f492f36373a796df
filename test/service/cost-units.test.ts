import { describe, expect, test } from 'vitest'
import { operations, routes } from '../../functions/operations.ts'
import { workerName } from '../../infra/bundle/bundle.ts'
import { requestsOf } from '../../lib/contract/requests.ts'
import { numbers } from '../../local/samples/samples.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import { tableOf } from '../support/aws/table.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { signInCalls } from '../support/sign-in/sign-in-calls.ts'

// The rows of docs/costs.md#what-a-call-grows-with that no other test counts.

const service = await startCountedService()
const host = service.newContainers()
const table = tableOf(service)
const storedKeys = storedKeysIn(service.stack.aws, service.stack.resources.tableName)

/** The read units of a list of this many items of 132 bytes. */
const readsOf = (items: number) => Math.max(1, Math.ceil((items * 132) / 4_096))

/** A product with a contract for each of these lists, whose key is known to the container. */
async function productWith(...lists: string[][]) {
  const apiKey = await service.newProduct()
  const addresses = lists.map(newAddress)
  for (const [index, tokens] of lists.entries()) {
    await allowlist(service.call, apiKey, { contractAddress: addresses[index] ?? '', tokens })
  }
  await invokeFunction(host, 'getContracts', { apiKey })
  return { apiKey, addresses }
}

/** The units of the worker for a message, which must succeed. */
const unitsOf = async (body: string) => {
  const { units } = await service.useOf(async () => {
    const result = await host.invoke(workerName, { Records: [{ messageId: 'message', body }] })
    expect(result).toEqual({ ok: true, payload: '{"batchItemFailures":[]}' })
  })
  return units
}

const lists: [name: string, tokens: string[], items: number][] = [
  ['one NFT', ['1'], 1],
  ['62 NFTs', numbers(1, 62), 62],
  ['a range', ['1..5'], 0],
  ['*', ['*'], 0],
]

describe('Budget: units for a list with', () => {
  test.each(lists)('%s: getContracts and the sweep', async (name, tokens, items) => {
    const { apiKey, addresses } = await productWith(tokens)
    const { units } = await service.useOf(() => invokeFunction(host, 'getContracts', { apiKey }))
    const count = name === '*' ? 0 : readsOf(items)
    // The product, the contracts, and the description of each.
    expect(units).toEqual({ read: 1 + 1 + 1 + count, write: 0 })

    const [contractAddress = ''] = addresses
    const query = { contractAddress, chain: 'POLYGON' }
    await invokeFunction(host, 'unbindContract', { apiKey, query })
    const sweep = await unitsOf(service.messages().at(-1) ?? '')
    // The contract, and the end of the list. The description is an item of the list.
    expect(sweep).toEqual({ read: 2 + readsOf(items + 1), write: items + 1 })
  })

  test('more than 1,000 NFTs: getContracts reads 33 units of it', async () => {
    const { apiKey } = await productWith(numbers(1, 1_100))
    const { units } = await service.useOf(() => invokeFunction(host, 'getContracts', { apiKey }))
    expect(units.read).toBe(1 + 1 + 1 + 33)
  })

  test('each of these, in one product: its deletion', async () => {
    const { apiKey } = await productWith(...lists.map(([, tokens]) => tokens))
    const { product } = await storedKeys.find(apiKey)
    await storedKeys.setProduct(apiKey, { endedAt: new Date(0).toISOString() })
    const before = (await table.itemsUnder('')).length
    const productId = product.pk.replace('PRODUCT#', '')
    const units = await unitsOf(JSON.stringify({ kind: 'deleteProduct', productId }))
    const ofLists = lists.map(([, , items]) => 1 + readsOf(items + 1))
    expect(units).toEqual({
      // The product, its contracts and the rest of its items, of less than 4 KB each.
      read: 3 + ofLists.reduce((sum, each) => sum + each, 0),
      write: before - (await table.itemsUnder('')).length,
    })
  })
})

test('Budget: units of a sign-in with a wallet that the service knows, and of the eleventh one to a game', async () => {
  const { newGame, sign } = signInCalls(service)
  const { productId } = await newGame()
  const account = newAccount()
  const signIn = async () => {
    const body = { ...(await sign(account, { productId })), productId }
    const { units } = await service.useOf(() => invokeFunction(host, 'signIn', { body }))
    return units
  }
  const { units } = requestsOf(routes.signIn, operations.signIn.requests)
  const known = { read: units.read - 2, write: units.write - 5 }
  expect(await signIn()).toEqual(units)
  for (const _ of numbers(2, 10)) expect(await signIn()).toEqual(known)
  expect(await signIn()).toEqual({ ...known, write: known.write + 1 })
})
