import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, expect, test } from 'vitest'
import { tableOf } from '../support/aws/table.ts'
import { allowedNfts, allowlist, allowlistingBody } from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startOwnService({}, afterAll)
const { call, newProduct } = service
const table = tableOf(service)

const connect = async (apiKey: string, contractAddress: string) =>
  await allowlist(call, apiKey, { contractAddress, tokens: ['1'] })

/** Adds connected contracts up to `count`, directly in the table. */
async function fillUp(count: number): Promise<void> {
  const items = await table.itemsUnder('PRODUCT#')
  const contracts = items.filter(({ sk }) => sk.startsWith('CONTRACT#'))
  const copies = Array.from({ length: count - contracts.length }, () => ({
    ...contracts[0],
    sk: `CONTRACT#BSC#${newAddress()}`,
    bindingId: crypto.randomUUID(),
  }))
  while (copies.length > 0) {
    const puts = copies.splice(0, 25).map((Item) => ({ PutRequest: { Item } }))
    await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: puts } }))
  }
}

test('D16: a product has up to 500 contracts; another contract is rejected', async () => {
  const apiKey = await newProduct()
  const spare = newAddress()
  await connect(apiKey, spare)
  await fillUp(460)
  await Promise.all(Array.from({ length: 40 }, () => connect(apiKey, newAddress())))

  const refused = newAddress()
  const body = allowlistingBody({ contractAddress: refused })
  const answer = await call('POST /product/tokens', { apiKey, body })
  expect(expectProblem(answer, 'invalid_request')).toEqual([
    {
      in: 'body',
      path: 'contractAddress',
      message: 'is one more than the 500 contracts a product may have connected',
    },
  ])
  const list = await allowedNfts(call, apiKey)
  expect(list).toHaveLength(41)
  expect(list.map(({ address }) => address)).not.toContain(refused)

  // Connected contracts still accept NFTs, and another product has its own limit of 500.
  await allowlist(call, apiKey, { contractAddress: spare, tokens: ['2'] })
  await connect(await newProduct(), refused)

  const query = { contractAddress: spare, chain: 'POLYGON' }
  expect((await call('DELETE /product/contract', { apiKey, query })).status).toBe(200)
  await connect(apiKey, refused)
})
