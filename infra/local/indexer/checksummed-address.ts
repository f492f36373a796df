import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Address } from '../../../lib/domain/address.ts'

const known = new Map<Address, string>()

/** An address in the mixed case of EIP-55, as Alchemy spells contracts. */
export function checksummedAddress(address: Address): string {
  const found = known.get(address) ?? withChecksum(address)
  known.set(address, found)
  return found
}

function withChecksum(address: Address): string {
  const hash = Buffer.from(keccak_256(Buffer.from(address.slice(2)))).toString('hex')
  const digits = Array.from(address.slice(2), (digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${digits.join('')}`
}
