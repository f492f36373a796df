import { join } from 'node:path'
import { promisify } from 'node:util'
import { dynaliteStore } from '@player-nfts/local/aws/dynamodb/dynalite-store'
import { openEntries } from '@player-nfts/local/aws/entries'
import { createKey } from 'dynalite/db/index.js'
import { allowedKey } from '../../../lib/adapters/dynamodb/keys/binding-partition.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { BindingId } from '../../../lib/domain/nft/nft.ts'

/** The number of items in one write. */
const itemsAtOnce = 5_000

/**
 * Adds NFTs to the allowlist of a connection by writing to the files of the embedded DynamoDB, which
 * must not be running. A million takes a quarter of a minute, while requests would take minutes.
 */
export async function storeAllowlist(
  dataDir: string,
  tableName: string,
  bindingId: BindingId,
  tokenIds: readonly TokenId[],
): Promise<void> {
  const entries = await openEntries(join(dataDir, 'dynamodb'), join(dataDir, 'dynamodb-writes'))
  const store = dynaliteStore(entries)
  const table = await promisify(store.getTable)(tableName, true)
  if (!table) throw new Error(`There is no table ${tableName}.`)
  const sublevel = store.getItemDb(tableName)
  const batch = promisify(sublevel.batch)
  for (let start = 0; start < tokenIds.length; start += itemsAtOnce) {
    const items = tokenIds.slice(start, start + itemsAtOnce).map((tokenId) => {
      const { pk, sk } = allowedKey(bindingId, tokenId)
      return { pk: { S: pk }, sk: { S: sk } }
    })
    await batch(items.map((value) => ({ type: 'put', key: createKey(value, table), value })))
  }
  await entries.close()
}
