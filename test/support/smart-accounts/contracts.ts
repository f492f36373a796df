import { keccak_256 } from '@noble/hashes/sha3.js'
import { contractCodes } from './contract-codes.ts'

/** What a constructor takes: a number, an address or another word in hex digits, or bytes. */
type Argument = number | string | { bytes: string }

/** A contract of accounts.sol or junk.sol. */
export type ContractName = keyof typeof contractCodes

/** The code that creates a contract, with the arguments of its constructor: `0x` and hex digits. */
export const creationOf = (name: ContractName, ...values: Argument[]): string =>
  `0x${contractCodes[name]}${encoded(...values)}`

/** The data of a call of a function, such as `replace(address)`: `0x` and hex digits. */
export const callOf = (signature: string, ...values: Argument[]): string =>
  `0x${Buffer.from(keccak_256(Buffer.from(signature)).subarray(0, 4)).toString('hex')}${encoded(...values)}`

/** The ABI encoding of values, in hex digits without `0x`. */
export function encoded(...values: Argument[]): string {
  let tail = ''
  const head = values.map((value) => {
    if (typeof value !== 'object') return word(value)
    const offset = 32 * values.length + tail.length / 2
    tail += encodedBytes(value.bytes.replace(/^0x/, ''))
    return word(offset)
  })
  return head.join('') + tail
}

const encodedBytes = (digits: string): string =>
  word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')

const word = (value: number | string): string =>
  (typeof value === 'number' ? value.toString(16) : value.replace(/^0x/, '')).padStart(64, '0')
