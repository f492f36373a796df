import { keccak_256 } from '@noble/hashes/sha3.js'

/** An account or contract address in its stored form: `0x` and 40 lower-case hex digits (D14). */
export type Address = string & { readonly __brand: 'Address' }

/** Why a text is not an address. */
export type AddressFault = 'malformed' | 'bad_checksum'

const hexAddress = /^0x[0-9a-fA-F]{40}$/

/**
 * Says what keeps a text from being an address, or `undefined` if nothing does.
 * Mixed-case hex must carry a correct EIP-55 checksum: a wrong one is a typing error (D14).
 */
export function addressFault(text: string): AddressFault | undefined {
  if (!hexAddress.test(text)) return 'malformed'
  const digits = text.slice(2)
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return undefined
  return digits === checksummed(lower) ? undefined : 'bad_checksum'
}

/** The stored form of an address. Throws a RangeError for a text that is not one. */
export function toAddress(text: string): Address {
  if (addressFault(text)) throw new RangeError('not an address')
  return text.toLowerCase() as Address
}

/** An address in the mixed case of EIP-55. */
export const checksumAddress = (address: Address): string => `0x${checksummed(address.slice(2))}`

/** The 40 hex digits in the mixed case of EIP-55, for 40 lower-case ones. */
function checksummed(lowerDigits: string): string {
  const hash = keccak_256(new TextEncoder().encode(lowerDigits))
  return Array.from(lowerDigits, (digit, index) => {
    const byte = hash[index >> 1] as number
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 0x0f
    return nibble >= 8 ? digit.toUpperCase() : digit
  }).join('')
}
