import { type Item, list, put, writeAll } from './table.ts'

export interface Nft {
  chain: string
  address: string
  tokenId: string
}

const contractKey = (productId: string, chain: string, address: string) => ({
  pk: `PRODUCT#${productId}`,
  sk: `CONTRACT#${chain}#${address}`,
})

const nftKey = (productId: string, { chain, address, tokenId }: Nft) => ({
  pk: `PRODUCT#${productId}`,
  sk: `NFT#${chain}#${address}#${tokenId}`,
})

const nftOf = ({ chain, address, tokenId }: Item) => ({ chain, address, tokenId }) as Nft

/** The whole allowlist of a product. */
export async function allowlistOf(productId: string): Promise<Nft[]> {
  return (await list(`PRODUCT#${productId}`, 'NFT#')).map(nftOf)
}

export async function allow(productId: string, description: string, nfts: Nft[]): Promise<void> {
  const { chain, address } = nfts[0] as Nft
  await put({ ...contractKey(productId, chain, address), chain, address, description })
  await writeAll(
    nfts.map((nft) => ({ PutRequest: { Item: { ...nftKey(productId, nft), ...nft } } })),
  )
}

export async function unbind(productId: string, nfts: Nft[]): Promise<void> {
  await writeAll(nfts.map((nft) => ({ DeleteRequest: { Key: nftKey(productId, nft) } })))
}

/** Removes a contract and everything that was allowlisted under it. */
export async function unbindContract(productId: string, chain: string, address: string) {
  const items = await list(`PRODUCT#${productId}`, `NFT#${chain}#${address}#`)
  const keys = [contractKey(productId, chain, address), ...items]
  await writeAll(keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })))
}
