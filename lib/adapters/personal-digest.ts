import { keccak_256 } from '@noble/hashes/sha3.js'

/** The digest that wallets sign of a text (EIP-191, version 0x45). */
export function personalDigest(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]),
  )
}
