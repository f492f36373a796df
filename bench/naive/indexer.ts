import { Alchemy, Network, type OwnedNft } from 'alchemy-sdk'

const networks: Record<string, Network> = {
  POLYGON: Network.MATIC_MAINNET,
  BSC: Network.BNB_MAINNET,
}

const apiKey = process.env['ALCHEMY_API_KEY'] ?? 'key'
/** The host of the indexer, if it is not Alchemy's. */
const baseUrl = process.env['INDEXER_URL']

function alchemyFor(chain: string): Alchemy {
  const network = networks[chain] as Network
  return new Alchemy({
    apiKey,
    network,
    ...(baseUrl && {
      url: `${baseUrl}/${network}/nft/v3/${apiKey}`,
      connectionInfoOverrides: { url: `${baseUrl}/${network}/v2/${apiKey}` },
    }),
  })
}

/** All NFTs of these contracts in a wallet. */
export async function nftsOf(
  chain: string,
  wallet: string,
  contractAddresses: string[],
): Promise<OwnedNft[]> {
  const alchemy = alchemyFor(chain)
  const nfts: OwnedNft[] = []
  let pageKey: string | undefined
  do {
    const page = await alchemy.nft.getNftsForOwner(wallet, {
      contractAddresses,
      ...(pageKey && { pageKey }),
    })
    nfts.push(...page.ownedNfts)
    pageKey = page.pageKey
  } while (pageKey)
  return nfts
}

/** Refreshes the metadata of an NFT, and returns whether it has changed. */
export const refreshed = (chain: string, address: string, tokenId: string): Promise<boolean> =>
  alchemyFor(chain).nft.refreshNftMetadata(address, tokenId)

/** A wallet's balance of a token in its smallest unit. */
export async function balanceOf(chain: string, wallet: string, token: string): Promise<bigint> {
  const { tokenBalances } = await alchemyFor(chain).core.getTokenBalances(wallet, [token])
  return BigInt(tokenBalances[0]?.tokenBalance ?? 0)
}
