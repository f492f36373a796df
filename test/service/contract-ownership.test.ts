import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, test } from 'vitest'
import { contractItemOf } from '../../lib/adapters/dynamodb/keeping/kept-contract-item.ts'
import { newKeptContract } from '../../lib/domain/holdings/kept-contract.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import { tableOf } from '../support/aws/table.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()
const table = tableOf(service)
const keeping = { FOLLOWED_CHAINS: 'POLYGON', KEPT_CONTRACTS: '2' }

/** A product with contracts on these chains, in the order of its list, and the function that lists them in new containers. */
async function productOn(chains: readonly string[], variables: Record<string, string> = keeping) {
  const apiKey = await service.newProduct()
  const addresses = chains.map(newAddress).sort()
  for (const [index, chain] of chains.entries()) {
    const contractAddress = addresses[index] ?? ''
    await allowlist(service.call, apiKey, { chain, contractAddress, tokens: ['1'] })
  }
  const host = service.newContainers(variables)
  const list = async (query: Record<string, string> = {}) =>
    (await invokeFunction(host, 'getContracts', { apiKey, query })).json
  return { addresses, list }
}

const since = Date.now() - 3_600_000

const keep = async (address = '') => {
  const item = newKeptContract(address as Address)
  const snapshot = {
    id: 's1',
    standard: 'ERC721',
    step: 1,
    since: 1,
    at: since,
  } as const
  const Item = contractItemOf('POLYGON', { ...item, version: 1, snapshot })
  await table.client.send(new PutCommand({ TableName: table.name, Item }))
}

interface Listed {
  address: string
  ownership: unknown
}

describe('D157: getContracts', () => {
  test('says of each contract whether it is kept, in pages of one', async () => {
    const chains = ['BSC', 'POLYGON', 'POLYGON', 'POLYGON']
    const { addresses, list } = await productOn(chains)
    await keep(addresses[1])
    await keep(addresses[3])
    const listed: Listed[] = []
    let cursor = ''
    do {
      const { data, nextCursor = '' } = await list({ limit: '1', cursor })
      listed.push(...data)
      cursor = nextCursor
    } while (cursor)
    expect(listed.map(({ ownership }) => ownership)).toEqual([
      { kept: false, reason: 'chain_not_followed' },
      { kept: true, since: new Date(since).toISOString() },
      { kept: false, reason: 'not_read' },
      // Also if another product keeps it.
      { kept: false, reason: 'above_limit' },
    ])
  })

  test.each([
    ['follows no chain', {}],
    ['keeps no contract', { ...keeping, KEPT_CONTRACTS: '0' }],
  ])('says nothing of it in a deployment that %s', async (_, variables) => {
    const { list } = await productOn(['POLYGON'], variables)
    const { data } = await list()
    expect(data).toHaveLength(1)
    expect(data[0]).not.toHaveProperty('ownership')
  })
})
