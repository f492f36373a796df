import { type Address, checksumAddress } from '../nft/address.ts'

/** The username of a new user: `0x1234…abcd`. */
export function firstUsername(address: Address): string {
  const text = checksumAddress(address)
  return `${text.slice(0, 6)}…${text.slice(-4)}`
}

/** Whether a user still has the first username. */
export const isUnnamed = (username: string): boolean => /^0x[\da-f]{4}…[\da-f]{4}$/i.test(username)
