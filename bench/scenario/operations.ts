import { eventOf } from './events.ts'
import type { SeededProduct } from './products.ts'

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
