import { join } from 'node:path'
import { creationCodes } from '../../../scripts/solidity/creation-codes.ts'

const files = ['accounts.sol', 'junk.sol'].map((name) => join(import.meta.dirname, name))
let compiled: Record<string, string> | undefined

/** The contracts of both files, compiled once for each process. */
function contracts(): Record<string, string> {
  compiled ??= creationCodes(...files)
  return compiled
}

/** What a constructor takes: a number, an address or another word in hex digits, or bytes. */
type Argument = number | string | { bytes: string }

/** The code that creates a contract, with the arguments of its constructor: `0x` and hex digits. */
export function creationOf(name: string, ...values: Argument[]): string {
  const code = contracts()[name]
  if (!code) throw new Error(`no contract is named ${name}`)
  return `0x${code}${encoded(...values)}`
}

/** The ABI encoding of values, in hex digits without `0x`. */
export function encoded(...values: Argument[]): string {
  let tail = ''
  const head = values.map((value) => {
    if (typeof value !== 'object') return word(value)
    const offset = 32 * values.length + tail.length / 2
    const digits = value.bytes.replace(/^0x/, '')
    tail += word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
    return word(offset)
  })
  return head.join('') + tail
}

const word = (value: number | string): string =>
  (typeof value === 'number' ? value.toString(16) : value.replace(/^0x/, '')).padStart(64, '0')
