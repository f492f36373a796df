import type { OwnedNft } from 'alchemy-sdk'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { nftsOf } from './indexer.ts'
import { verifyPlayerToken } from './player-token.ts'
import { get, list } from './table.ts'

interface Nft {
  chain: string
  address: string
  tokenId: string
}

/** The credentials of a request are not valid. */
class Unauthorized extends Error {}

/** A handler that answers the player's NFTs. `render` makes the metadata of each. */
export const playerNftsHandler =
  (render: (metadata: OwnedNft['raw']['metadata']) => object) =>
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    try {
      const found = await playerNfts(event)
      const data = found.map(({ chain, address, owner, nft }) => ({
        tokenId: nft.tokenId,
        address,
        chain,
        owner,
        balance: nft.balance,
        metadataLink: nft.tokenUri ?? '',
        ...render(nft.raw.metadata),
      }))
      return respond(200, { data, success: true })
    } catch (error) {
      if (error instanceof Unauthorized) {
        return respond(401, { success: false, message: error.message })
      }
      console.error(error)
      return respond(500, { success: false, message: 'Internal error' })
    }
  }

const respond = (statusCode: number, body: unknown) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The NFTs that are in the player's wallets and allowlisted to the product. */
async function playerNfts({ headers, queryStringParameters = {} }: APIGatewayProxyEventV2) {
  const productPk = await productOf(headers['x-api-key'] ?? '')
  const wallets = await walletsOf(queryStringParameters['playerToken'] ?? '')
  const allowed = (await list(productPk, 'NFT#')) as unknown as Nft[]
  const allowedKeys = new Set(allowed.map((nft) => `${nft.chain}/${nft.address}/${nft.tokenId}`))
  const found: { chain: string; address: string; owner: string; nft: OwnedNft }[] = []
  for (const chain of new Set(allowed.map((nft) => nft.chain))) {
    const onChain = allowed.filter((nft) => nft.chain === chain)
    const contracts = [...new Set(onChain.map(({ address }) => address))]
    for (const owner of wallets) {
      for (const nft of await nftsOf(chain, owner, contracts)) {
        const address = nft.contract.address.toLowerCase()
        if (!allowedKeys.has(`${chain}/${address}/${nft.tokenId}`)) continue
        found.push({ chain, address, owner, nft })
      }
    }
  }
  return found
}

/** The partition of the product that an API key belongs to. */
async function productOf(apiKey: string): Promise<string> {
  const pk = `PRODUCT#${apiKey}`
  if (!(await get(pk, 'PROFILE'))) throw new Unauthorized('The API key is not known.')
  return pk
}

/** The wallets of the player who has a player token. */
async function walletsOf(playerToken: string): Promise<string[]> {
  const userId = await verifyPlayerToken(playerToken).catch(() => {
    throw new Unauthorized('The player token is not valid.')
  })
  const player = await get(`PLAYER#${userId}`, 'PROFILE')
  if (!player) throw new Unauthorized('The player is not known.')
  return player['wallets'] as string[]
}
