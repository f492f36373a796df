import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Account, accountOf } from '@player-nfts/local/samples/sample-account'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { SmartAccounts } from '../../../lib/domain/ports/sign-in.ts'

/** The only signature of a text that a smart account of the tests accepts, on each chain. */
const smartSignature = (address: Address, text: string): string =>
  `0x${Buffer.from(`${address} accepts ${text}`).toString('hex')}`

/** A new smart account, of which nobody has the key. */
export function newSmartAccount(): Account {
  const { address } = newAccount()
  return { address, sign: (text) => smartSignature(address, text) }
}

/** Asks the smart accounts of the tests. */
export const memoryAccounts: SmartAccounts = {
  judge: async ({ address }, text, signature) =>
    signature === smartSignature(address, text) ? 'accepts' : 'refuses',
}

/** A new wallet. */
export const newAccount = (): Account => accountOf(secp256k1.keygen().secretKey)
