import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toAddress } from '../../../lib/domain/nft/address.ts'
import { creationOf, encoded } from './contracts.ts'

/** An account that can be deployed, and its owner. */
export type Owned = ReturnType<typeof oneOwner>

/** A key of secp256k1. */
export function newKey(secretKey = secp256k1.utils.randomSecretKey()) {
  const publicKey = secp256k1.getPublicKey(secretKey, false)
  return {
    address: toAddress(`0x${hex(keccak_256(publicKey.subarray(1)).subarray(12))}`),
    /** The 65 bytes `r`, `s` and `v` of a digest, in hex digits. */
    sign(digest: Uint8Array) {
      const options = { prehash: false, format: 'recovered' } as const
      const [parity = 0, ...numbers] = secp256k1.sign(digest, secretKey, options)
      return hex(Uint8Array.from([...numbers, 27 + parity]))
    },
  }
}

/** An account of one owner. It signs as the key of an account that delegates to `OwnKey` (EIP-7702). */
export const oneOwner = (owner = newKey()) => ({
  /** The code that creates it. */
  creation: creationOf('OneOwner', owner.address),
  /** The signature of a text by the owner of the account at this address of this chain: `0x` and hex digits. */
  sign: (text: string, address: string, chainId: number) =>
    `0x${owner.sign(ownDigest(text, address, chainId))}`,
})

/** Where `Factory` creates a contract, and the call that makes it do so. */
export function counterfactual(factory: string, creation: string, salt = '00'.repeat(32)) {
  const code = Buffer.from(creation.slice(2), 'hex')
  const parts = ['ff', factory.slice(2), salt, hex(keccak_256(code))].join('')
  return {
    address: toAddress(`0x${hex(keccak_256(Buffer.from(parts, 'hex')).subarray(12))}`),
    call: `0x${salt}${creation.slice(2)}`,
  }
}

/** A signature in the form of ERC-6492. */
export const wrapped = (factory: string, call: string, signature: string): string =>
  `0x${encoded(factory, { bytes: call }, { bytes: signature })}${'6492'.repeat(16)}`

/** What the owners of our accounts sign: the digest of a text (EIP-191), with the account and its chain. */
function ownDigest(text: string, address: string, chainId: number): Uint8Array {
  const bytes = Buffer.from(text)
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`)
  const digest = hex(keccak_256(Buffer.concat([prefix, bytes])))
  return keccak_256(Buffer.from(encoded(chainId, address, digest), 'hex'))
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
