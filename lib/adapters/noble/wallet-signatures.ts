import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Address, toAddress } from '../../domain/nft/address.ts'
import type { WalletSignatures } from '../../domain/ports/sign-in.ts'
import { personalDigest } from '../personal-digest.ts'

/** The signatures of the keys of externally owned accounts: their address is recovered, without a request. */
export const nobleWalletSignatures: WalletSignatures = {
  signerOf(text, signature) {
    const bytes = Buffer.from(signature.slice(2), 'hex')
    const parity = bytes.length === 64 ? parityInCompact(bytes) : parityOf(bytes[64])
    if (parity === undefined || bytes.length > 65) return undefined
    try {
      const recoverable = Uint8Array.of(parity, ...bytes.subarray(0, 64))
      const options = { prehash: false }
      return addressOf(secp256k1.recoverPublicKey(recoverable, personalDigest(text), options))
    } catch {
      // The numbers are not those of a point of the curve.
      return undefined
    }
  },
}

/** Takes the parity out of the highest bit of `s`, where ERC-2098 puts it. */
function parityInCompact(bytes: Buffer): number {
  const highest = bytes[32] ?? 0
  bytes[32] = highest & 0x7f
  return highest >> 7
}

/** The parity of `v`: 27 and 28 (yellow paper), or 0 and 1, as some hardware wallets write it. */
const parityOf = (v: number | undefined): number | undefined =>
  ({ 0: 0, 1: 1, 27: 0, 28: 1 })[v ?? Number.NaN]

/** The last 20 bytes of the Keccak-256 digest of a public key without its first byte. */
function addressOf(compressed: Uint8Array): Address {
  const key = secp256k1.Point.fromBytes(compressed).toBytes(false)
  return toAddress(`0x${Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString('hex')}`)
}
