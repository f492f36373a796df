import { parseTokenId, type TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import { canonicalAddress } from './world.ts'

/** An error response: the HTTP status and the message. */
export class ApiError extends Error {
  readonly status: number
  /** The error code, for JSON-RPC. */
  readonly code: number | undefined
  constructor(status: number, message: string, code?: number) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** An HTTP response: a status, and what is written as JSON, of which parts can be verbatim. */
export interface ApiResponse {
  status: number
  body: unknown
}

/** Parses an address in any case, without a check of its checksum. Throws an {@link ApiError} 400. */
export function addressFrom(value: unknown, name: string): Address {
  if (typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)) return canonicalAddress(value)
  throw new ApiError(400, `${name} must be a valid address`)
}

/** The NFT of a call. */
export interface Nft {
  address: Address
  tokenId: TokenId
}

/** Parses an NFT. The token identifier is decimal or hexadecimal. Throws an {@link ApiError} 400. */
export function nftFrom(contractAddress: unknown, tokenId: unknown): Nft {
  const address = addressFrom(contractAddress, 'contractAddress')
  const text = typeof tokenId === 'string' || Number.isSafeInteger(tokenId) ? String(tokenId) : ''
  const parsed = parseTokenId(text)
  if (parsed === undefined) throw new ApiError(400, 'tokenId must be a valid token identifier')
  return { address, tokenId: parsed }
}

/** Parses a page size of 1 to 100. Throws an {@link ApiError} 400. */
export function pageSizeFrom(text: string, name = 'pageSize'): number {
  const size = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (size >= 1 && size <= 100) return size
  throw new ApiError(400, `${name} must be between 1 and 100`)
}

/** The members of the bodies of calls. */
type Member = 'tokens' | 'refreshCache' | 'contractAddress' | 'tokenId'

/** Returns a JSON object. Throws an {@link ApiError} 400 for other values. */
export function objectFrom(value: unknown): Partial<Record<Member, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new ApiError(400, 'a JSON object is expected')
}
