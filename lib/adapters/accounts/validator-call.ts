import type { Address } from '../../domain/nft/address.ts'
import type { AccountAnswer } from '../../domain/ports/sign-in.ts'
import { personalDigest } from '../personal-digest.ts'
import { validatorCode } from './validator-code.ts'

/**
 * The origin of each call: the last 20 bytes of the Keccak-256 digest of `player-nfts`, whose key nobody has. Contracts skip
 * checks for the origin 0, that of calls that name none.
 */
export const callOrigin = '0x94a4c6f71c8f4769cf71b6c3b9c6cb01d13ab33f'

/** All that a transaction can have (EIP-7825): nodes refuse more. */
const gas = '0x1000000'

/**
 * The `eth_call` that runs the validator, which nobody deploys: it asks an account whether it accepts the signature of a text
 * (ERC-1271). `signature`: `0x` and hex digits of whole bytes, in the form of ERC-6492 or any other. `undefined` for one that ends as
 * ERC-6492 says and is not in its form, in the only way to encode it, or has another one of ERC-6492 in it: it is refused without a call.
 */
export function validatorCall(account: Address, text: string, signature: string) {
  const digits = signature.slice(2).toLowerCase()
  const unwrapped = isWrapped(digits) ? unwrap(digits) : { ...noFactory, signature: digits }
  if (!unwrapped || isWrapped(unwrapped.signature)) return undefined
  const digest = Buffer.from(personalDigest(text)).toString('hex')
  const signatureBytes = encodedBytes(unwrapped.signature)
  const head = [
    word(account.slice(2)),
    digest,
    word(hexOf(headBytes)),
    word(unwrapped.factory),
    word(hexOf(headBytes + signatureBytes.length / 2)),
  ]
  const argument = [...head, signatureBytes, encodedBytes(unwrapped.factoryCall)].join('')
  return { from: callOrigin, gas, data: `0x${validatorCode}${argument}` }
}

/** The size of five arguments, without what the offsets among them point to. */
const headBytes = 5 * 32

const answers = new Map<unknown, AccountAnswer>([
  ['0x00', 'refuses'],
  ['0x01', 'accepts'],
  ['0x02', 'no_account'],
])

/** Reads the result of the call; `undefined` for what the validator never answers. */
export const validatorAnswer = (result: unknown): AccountAnswer | undefined => answers.get(result)

const noFactory = { factory: '', factoryCall: '' }

const magic = '6492'.repeat(16)

/** Whether a signature says that it is one of ERC-6492. */
const isWrapped = (digits: string): boolean => digits.endsWith(magic)

/** Reads a signature of ERC-6492, `abi.encode(factory, factoryCall, signature)` and the magic; `undefined` for any other encoding. */
function unwrap(digits: string) {
  const body = digits.slice(0, -magic.length)
  const wordAt = (byte: number) => body.slice(2 * byte, 2 * byte + 64)
  const bytesAt = (byte: number) => {
    const start = 2 * byte + 64
    return body.slice(start, start + 2 * Number(`0x${wordAt(byte)}`))
  }
  const factory = wordAt(0).slice(24)
  const factoryCall = bytesAt(96)
  const signature = bytesAt(Number(`0x${wordAt(64)}`))
  const first = encodedBytes(factoryCall)
  const again = [
    word(factory),
    word(hexOf(96)),
    word(hexOf(96 + first.length / 2)),
    first,
    encodedBytes(signature),
  ]
  return again.join('') === body ? { factory, factoryCall, signature } : undefined
}

const hexOf = (value: number): string => value.toString(16)

/** A number or an address as a word of the ABI: 32 bytes. */
const word = (digits: string): string => digits.padStart(64, '0')

/** Bytes in the ABI: their number, and the bytes with zeros up to whole words. */
const encodedBytes = (digits: string): string =>
  word(hexOf(digits.length / 2)) + digits.padEnd(64 * Math.ceil(digits.length / 64), '0')
