import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Address, toAddress } from '../../lib/domain/nft/address.ts'

/** A wallet with a key of its own. */
export interface Account {
  address: Address
  /** Signs a text as wallets do (EIP-191): `0x` and the hex digits of `r`, `s` and `v`. */
  sign(text: string): string
}

/** The wallet of a private key of 32 bytes. */
export function accountOf(secretKey: Uint8Array): Account {
  const publicKey = secp256k1.getPublicKey(secretKey, false)
  const digest = keccak_256(publicKey.subarray(1))
  return {
    address: toAddress(`0x${bytesToHex(digest.subarray(12))}`),
    sign(text) {
      const bytes = utf8ToBytes(text)
      const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${bytes.length}`)
      const signed = keccak_256(concatBytes(prefix, bytes))
      const options = { prehash: false, format: 'recovered' } as const
      const [parity = 0, ...numbers] = secp256k1.sign(signed, secretKey, options)
      return `0x${bytesToHex(Uint8Array.from([...numbers, 27 + parity]))}`
    },
  }
}

/**
 * A private key, the same on every machine. Everybody can derive it from its name: it must never hold anything of value.
 */
export const sampleKey = (name: string): Uint8Array => sha256(utf8ToBytes(`brindlewake/${name}`))

/** A wallet of a sample player, the same on every machine. */
export const sampleAccount = (name: string): Account => accountOf(sampleKey(name))
