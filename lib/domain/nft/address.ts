import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Branded, branded } from '../branded.ts'

/** An account or contract address in its stored form: `0x` and 40 lower-case hex digits (D14). */
export type Address = Branded<'Address'>

type AddressFault = 'malformed' | 'bad_checksum'

/** A text read as an address: the address in its stored form, or what is wrong with the text. */
type ParsedAddress =
  | { address: Address; fault?: undefined }
  | { address?: undefined; fault: AddressFault }

const hexAddress = /^0x[0-9a-fA-F]{40}$/

/** Reads an address. Mixed-case hex must have a correct EIP-55 checksum (D14). */
export function parseAddress(text: string): ParsedAddress {
  if (!hexAddress.test(text)) return { fault: 'malformed' }
  const digits = text.slice(2)
  const lower = digits.toLowerCase()
  const hasChecksum = digits !== lower && digits !== digits.toUpperCase()
  if (hasChecksum && digits !== checksummed(lower)) return { fault: 'bad_checksum' }
  return { address: branded(`0x${lower}`) }
}

/** The stored form of a text that is known to be an address. Throws a RangeError for any other text. */
export function toAddress(text: string): Address {
  const { address } = parseAddress(text)
  if (!address) throw new RangeError('not an address')
  return address
}

/** An address in the mixed case of EIP-55. */
export const checksumAddress = (address: Address): string => `0x${checksummed(address.slice(2))}`

/** The 40 hex digits in the mixed case of EIP-55, for 40 lower-case ones. */
function checksummed(lowerDigits: string): string {
  const hash = keccak_256(new TextEncoder().encode(lowerDigits))
  return Array.from(lowerDigits, (digit, index) => {
    const byte = hash[index >> 1] ?? 0
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 0x0f
    return nibble >= 8 ? digit.toUpperCase() : digit
  }).join('')
}
