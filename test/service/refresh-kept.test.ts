import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { expect, test } from 'vitest'
import { contractItemOf } from '../../lib/adapters/dynamodb/keeping/kept-contract-item.ts'
import {
  storedMetadata,
  unpackedMetadata,
} from '../../lib/adapters/dynamodb/keeping/token-metadata-item.ts'
import { newKeptContract } from '../../lib/domain/holdings/kept-contract.ts'
import { toAddress } from '../../lib/domain/nft/address.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { setSource } from '../../local/indexer/metadata-cache.ts'
import { createWorld } from '../../local/indexer/world.ts'
import { tableOf } from '../support/aws/table.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

test('D31: a refresh writes the metadata of a kept contract, byte for byte', async () => {
  const world = createWorld()
  const { url: INDEXER_URL } = await startTestIndexer(world)
  const service = await startOwnService({ INDEXER_URL, FOLLOWED_CHAINS: 'POLYGON' })
  const table = tableOf(service)
  const [network, chain, tokenIds] = ['polygon-mainnet', 'POLYGON', ['1', '2']] as const
  const [address, other] = [newAddress(), newAddress()]
  for (const each of [address, other]) {
    ownedBy(world, { network, address: each }, newAddress(), tokenIds)
    setSource(world, { network, address: each, tokenId: '1' }, { metadata: '{"level": 2.0}' })
  }
  const apiKey = await productWith(
    service,
    ...[address, other].map((each) => ({ chain, address: each, tokenIds })),
  )
  const Item = contractItemOf(chain, newKeptContract(toAddress(address)))
  await table.client.send(new PutCommand({ TableName: table.name, Item }))
  for (const smartContract of [address, other]) {
    const body = { smartContract }
    const { json } = await service.call('POST /tokens/refresh', { apiKey, body })
    expect(json.data).toMatchObject({ checked: 2, changed: 1 })
  }
  const textsOf = async (each: string) => {
    const stored = await table.itemsUnder(`META#${chain}#${each}#`)
    const unpacked = stored.map(async (item) => {
      const metadata = storedMetadata(item)
      return metadata && (await unpackedMetadata(metadata))?.metadata.text
    })
    return await Promise.all(unpacked)
  }
  const texts = await textsOf(address)
  expect(texts).toHaveLength(2)
  expect(texts).toContain('{"level": 2.0}')
  expect(await textsOf(other)).toEqual([])
})
