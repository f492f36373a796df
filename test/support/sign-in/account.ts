import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Address, toAddress } from '../../../lib/domain/nft/address.ts'

/** A wallet with a key of its own. */
export interface Account {
  address: Address
  /** Signs a text as wallets do (EIP-191): `0x` and the hex digits of `r`, `s` and `v`. */
  sign(text: string): string
}

/** A new wallet. */
export function newAccount(): Account {
  const { secretKey } = secp256k1.keygen()
  const publicKey = secp256k1.getPublicKey(secretKey, false)
  const digest = Buffer.from(keccak_256(publicKey.subarray(1)))
  return {
    address: toAddress(`0x${digest.subarray(12).toString('hex')}`),
    sign(text) {
      const bytes = Buffer.from(text)
      const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`)
      const signed = keccak_256(Buffer.concat([prefix, bytes]))
      const options = { prehash: false, format: 'recovered' } as const
      const [parity = 0, ...numbers] = secp256k1.sign(signed, secretKey, options)
      return `0x${Buffer.from([...numbers, 27 + parity]).toString('hex')}`
    },
  }
}
