import { Alchemy } from 'alchemy-sdk'
import type { Endpoint } from './asking.ts'
import { ResponseTooLarge } from './http-exchange.ts'

/** Reads `count` NFTs at once or, if the response is too large, a tenth of them at a time. */
export async function splitIfTooLarge<Result>(
  count: number,
  read: () => Promise<Result>,
  readFewer: (count: number) => Promise<Result>,
): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ResponseTooLarge) || count === 1) throw error
    return await readFewer(Math.ceil(count / 10))
  }
}

/** One SDK object has one timeout for all its calls, so each call has its own. It costs microseconds. */
export const nftApi = ({ nft, timeoutMs }: Endpoint) =>
  new Alchemy({ url: nft, requestTimeout: timeoutMs, maxRetries: 1 }).nft

/** Loads the code of the SDK, which the first use of it does otherwise. */
export const loadSdk = (): void => void new Alchemy()

/** The time that the indexer may wait for a document's source: a slow source then fails only its own NFT. */
export const sourceTimeoutMs = ({ timeoutMs }: Endpoint) => Math.floor(timeoutMs / 2)

/** The indexer's limits are checked here, because alchemy-sdk does not check them. */
export function checkCount(things: string, count: number, max: number): void {
  // The indexer takes an empty list for every contract.
  if (count < 1 || count > max) throw new RangeError(`1 to ${max} ${things}, not ${count}`)
}
