import { indexerRequest } from './indexer-request.ts'
import { type ReducedAnswer, readNftAnswer } from './nft-answer.ts'

/** A request as alchemy-sdk hands it to axios. */
interface AxiosRequest {
  method: string
  url: string
  headers: Record<string, string>
  params: Record<string, unknown>
  data?: unknown
  /** Milliseconds; for our transport all there are, where axios would mean idle ones. */
  timeout: number
}

/**
 * The largest answer that is read, in bytes: 16 MiB, up to ten of which are read at the same time by a
 * function of 1 GB. One about a single NFT, which cannot be had in parts, may have 64.
 */
export const maxAnswerBytes = 16 * 1_048_576
const maxBytesOfOne = 64 * 1_048_576

/** Puts our transport behind the door that stands where alchemy-sdk looks for axios. */
export function openDoor(): void {
  Object.assign(globalThis, { [Symbol.for('player-nfts.alchemy-transport')]: transport })
}

/** Carries an NFT call of alchemy-sdk out. Its errors pass through the SDK as they are. */
async function transport(request: AxiosRequest): Promise<{ status: 200; data: ReducedAnswer }> {
  const { method, url, headers, params, data, timeout } = request
  const body = await indexerRequest(
    {
      method,
      url: withQuery(url, params),
      headers: { accept: 'application/json', ...headers, ...(data !== undefined && jsonType) },
      ...(data !== undefined && { body: JSON.stringify(data) }),
      maxAnswerBytes: isAboutOne(request) ? maxBytesOfOne : maxAnswerBytes,
    },
    timeout,
  )
  const list = url.endsWith('/getNFTsForOwner') ? 'ownedNfts' : 'nfts'
  return { status: 200, data: readNftAnswer(body, list) }
}

const isAboutOne = ({ params, data }: AxiosRequest): boolean =>
  params['pageSize'] === 1 || (data as { tokens?: unknown[] } | undefined)?.tokens?.length === 1

const jsonType = { 'content-type': 'application/json' }

/** Parameters as axios writes them: arrays as `name[]`, absent ones left out. */
function withQuery(url: string, params: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) for (const item of value) query.append(`${name}[]`, String(item))
    else if (value !== undefined && value !== null) query.append(name, String(value))
  }
  return query.size > 0 ? `${url}?${query}` : url
}
