import { computeUnits } from './compute-units.ts'
import { indexerRequest } from './indexer-request.ts'
import { readContractPage, readNftResponse } from './nft-response.ts'

/** A request as alchemy-sdk passes it to axios. */
interface AxiosRequest {
  method: string
  url: string
  headers: Record<string, string>
  params: Record<string, unknown>
  data?: { tokens?: readonly unknown[] }
  /** Milliseconds for the whole exchange. In axios they limit only idle time. */
  timeout: number
}

/**
 * The largest response that is read: 16 MiB, because a function with 1 GB of memory reads up to ten at
 * the same time. The response for a single NFT, which cannot be split further, may have 64 MiB (D30).
 */
export const maxIndexerResponseBytes = 16 * 1_048_576
const maxSingleNftBytes = 64 * 1_048_576

/** Installs this transport where the package `axios` of this project looks for it. */
export function installTransport(): void {
  Object.assign(globalThis, { [Symbol.for('player-nfts.alchemy-transport')]: transport })
}

/** Carries out an NFT call of alchemy-sdk. Its errors pass through the SDK unchanged. */
async function transport(request: AxiosRequest): Promise<{ status: 200; data: object }> {
  const { method, url, headers, params, data, timeout } = request
  const body = await indexerRequest(
    {
      method,
      url: withQuery(url, documented(params, url)),
      headers: { accept: 'application/json', ...headers, ...(data !== undefined && jsonType) },
      ...(data !== undefined && { body: JSON.stringify(data) }),
      maxBodyBytes: isSingleNft(request) ? maxSingleNftBytes : maxIndexerResponseBytes,
      // All calls of the NFT API that the service makes with the SDK have the same price.
      units: computeUnits.getNFTsForOwner,
    },
    timeout,
  )
  return { status: 200, data: reduced(body, request) }
}

function reduced(body: Buffer, { url, params }: AxiosRequest): object {
  if (isOfContract(url)) return readContractPage(body, String(params['contractAddress']))
  return readNftResponse(body, url.endsWith('/getNFTsForOwner') ? 'ownedNfts' : 'nfts')
}

const isOfContract = (url: string): boolean => url.endsWith('/getNFTsForContract')

/**
 * The documentation of getNFTsForContract names the parameter of the page key `startToken`; alchemy-sdk sends
 * `pageKey`. Both are sent, because an indexer that ignores the page key returns the first page again.
 */
const documented = (params: Record<string, unknown>, url: string): Record<string, unknown> =>
  isOfContract(url) ? { ...params, startToken: params['pageKey'] } : params

const isSingleNft = ({ params, data }: AxiosRequest): boolean =>
  params['pageSize'] === 1 || params['limit'] === 1 || data?.tokens?.length === 1

const jsonType = { 'content-type': 'application/json' }

/** Adds parameters as axios does: arrays as `name[]`, absent parameters left out. */
export function withQuery(url: string, params: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) for (const item of value) query.append(`${name}[]`, String(item))
    else if (value !== undefined && value !== null) query.append(name, String(value))
  }
  return query.size > 0 ? `${url}?${query}` : url
}
