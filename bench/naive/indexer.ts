import { Alchemy, Network, type OwnedNft } from 'alchemy-sdk'

const networks: Record<string, Network> = {
  POLYGON: Network.MATIC_MAINNET,
  BSC: Network.BNB_MAINNET,
}

const apiKey = process.env['ALCHEMY_API_KEY'] ?? 'key'
/** The host of the indexer, if it is not Alchemy's. */
const baseUrl = process.env['INDEXER_URL']

/** All NFTs of these contracts in a wallet. */
export async function nftsOf(
  chain: string,
  wallet: string,
  contractAddresses: string[],
): Promise<OwnedNft[]> {
  const network = networks[chain] as Network
  const url = baseUrl && `${baseUrl}/${network}/nft/v3/${apiKey}`
  const alchemy = new Alchemy({ apiKey, network, ...(url && { url }) })
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
