import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { TokenRanges } from '../../domain/allowlist/token-ranges.ts'
import { branded } from '../../domain/branded.ts'
import type { BindingId, ContractWithRanges, ListedContract } from '../../domain/nft/nft.ts'
import type { Contracts } from '../../domain/ports/allowlist.ts'
import { brandedText } from '../branded-text.ts'
import { itemsByKey } from './batches.ts'
import { getItem } from './item-reads.ts'
import { deleteItem, putItem, updateItem } from './item-writes.ts'
import { descriptionKey } from './keys/binding-partition.ts'
import { keyText } from './keys/key.ts'
import { contractFromKey, contractKey, contractsOf } from './keys/product-partition.ts'
import { firstItems, itemsUnder, queryOf } from './prefix-reads.ts'
import type { Table } from './table.ts'
import { decodeTokenRanges, encodeTokenRanges } from './token-ranges.ts'

const connection = {
  sk: v.string(),
  bindingId: brandedText<BindingId>(),
  ranges: v.optional(v.instance(Uint8Array)),
}

const connectionItem = v.object(connection)

const contractItem = v.pipe(connectionItem, v.transform(contractOf))

const listedItem = v.pipe(
  v.object({ ...connection, createdAt: v.string() }),
  v.transform((item): ListedContract => ({ ...contractOf(item), connectedAt: item.createdAt })),
)

function contractOf(item: v.InferOutput<typeof connectionItem>): ContractWithRanges {
  const { sk, bindingId, ranges } = item
  return { ...contractFromKey(sk), bindingId, ranges: decodeTokenRanges(ranges) }
}

const storedRanges = (ranges: TokenRanges): Uint8Array | undefined =>
  ranges.length === 0 ? undefined : encodeTokenRanges(ranges)

/** The contracts in the table. Every read is consistent, because unbinding takes effect at once (D19). */
export const dynamoContracts = (table: Table): Contracts => {
  return {
    ...contractWrites(table),

    async list(productId) {
      const items = await itemsUnder(table, contractsOf(productId), 'sk, bindingId, ranges')
      return items.map((item) => v.parse(contractItem, item))
    },

    async get(productId, key) {
      const item = await getItem(table, contractKey(productId, key))
      return item && v.parse(contractItem, item)
    },

    async page(productId, { after, limit }) {
      const query = {
        ...queryOf(table, contractsOf(productId)),
        ...(after && { ExclusiveStartKey: contractKey(productId, after) }),
      }
      return (await firstItems(table, query, limit)).map((item) => v.parse(listedItem, item))
    },

    async descriptions(listed) {
      const keys = listed.map(({ bindingId }) => descriptionKey(bindingId))
      const found = await itemsByKey(table, keys)
      return keys.map((key) => String(found.get(keyText(key))?.['description'] ?? ''))
    },
  }
}

type ContractWrites = Pick<Contracts, 'describe' | 'connect' | 'replaceRanges' | 'disconnect'>

const contractWrites = (table: Table): ContractWrites => ({
  async describe({ bindingId }, description) {
    await putItem(table, { ...descriptionKey(bindingId), description })
  },

  async connect(productId, key, ranges) {
    const bindingId = branded<BindingId>(randomUUID())
    const item = {
      ...contractKey(productId, key),
      bindingId,
      createdAt: new Date().toISOString(),
      ranges: storedRanges(ranges),
    }
    const isMade = await putItem(table, item, { conditions: [['pk', 'absent']] })
    return isMade ? { ...key, bindingId, ranges } : undefined
  },

  async replaceRanges(productId, contract, ranges) {
    const [before, after] = [storedRanges(contract.ranges), storedRanges(ranges)]
    const isReplaced = await updateItem(table, contractKey(productId, contract), {
      ...(after ? { set: { ranges: after } } : { remove: ['ranges'] }),
      conditions: [
        ['bindingId', '=', contract.bindingId],
        before ? ['ranges', '=', before] : ['ranges', 'absent'],
      ],
    })
    return isReplaced ? { ...contract, ranges } : undefined
  },

  async disconnect(productId, contract) {
    const conditions = [['bindingId', '=', contract.bindingId]] as const
    await deleteItem(table, contractKey(productId, contract), { conditions })
  },
})
