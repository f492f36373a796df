import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Account, accountOf } from '@player-nfts/local/samples/sample-account'

/** A new wallet. */
export const newAccount = (): Account => accountOf(secp256k1.keygen().secretKey)
