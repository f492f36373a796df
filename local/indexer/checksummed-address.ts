import { type Address, checksumAddress } from '../../lib/domain/nft/address.ts'

const known = new Map<Address, string>()

/** Returns an address in the mixed case of EIP-55, as Alchemy does for contracts. Hashes each address once. */
export function checksummedAddress(address: Address): string {
  const found = known.get(address) ?? checksumAddress(address)
  known.set(address, found)
  return found
}
