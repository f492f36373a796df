import { eventOf } from './events.ts'
import { chain, type SeededProduct, tokenIds } from './products.ts'

/** An operation to measure. */
export interface Operation {
  functionName: string
  /** Makes the event of a call. It is called before each call. */
  event(): unknown
  restore?: () => void
}

/** All NFTs of the player in raw form. */
export const playerNfts = (
  { apiKey }: SeededProduct,
  { playerToken }: { playerToken: string },
): Operation => ({
  functionName: 'get-raw-metadata',
  event: () => eventOf({ apiKey, query: { playerToken } }),
})

/** Allowlisting 1,000 NFTs that are on the allowlist already. */
export const allowlistAgain = ({
  apiKey,
  address: contractAddress,
  restore,
}: SeededProduct): Operation => {
  const contractDescription = 'The keepers of the lamps.'
  const body = { chain, contractAddress, contractDescription, tokens: tokenIds(1_000) }
  return { functionName: 'allowlist-nfts', event: () => eventOf({ apiKey, body }), restore }
}
