import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address } from '../../lib/domain/nft/address.ts'
import type { Chain } from '../../lib/domain/nft/chain.ts'
import type { SmartAccount } from '../indexer/world.ts'
import { type Account, sampleAccount, sampleKey } from './sample-account.ts'
import { sampleAddress } from './samples.ts'

/** A smart account of the sample world. Its owner's key signs, and code of ours judges in the place of a contract. */
export interface SampleSmartAccount extends SmartAccount, Account {
  name: string
  /** The chain on which it is. */
  chain: Chain
}

/** A smart account whose code is at its address. It accepts what the key of its owner signs. */
function deployed(name: string, chain: Chain): SampleSmartAccount {
  const owner = `${name}/owner`
  const publicKey = secp256k1.getPublicKey(sampleKey(owner))
  return {
    ...{ name, chain, address: sampleAddress(name), code },
    sign: (text) => sampleAccount(owner).sign(text),
    accepts: (digest, signature) =>
      signature.length === 65 &&
      secp256k1.verify(signature.subarray(0, 64), digest, publicKey, { prehash: false }),
  }
}

/** The code of the sample accounts: no machine runs it, and to one it is invalid (EIP-141). */
const code = `0xfe${bytesToHex(utf8ToBytes('a sample account of npm start'))}`

/** One that its factory would deploy: its signatures say how (ERC-6492). */
function notDeployed(name: string, chain: Chain): SampleSmartAccount {
  const account = deployed(name, chain)
  const deployment = {
    factory: sampleAddress('Account Factory'),
    call: `0x${bytesToHex(utf8ToBytes(`create ${name}`))}`,
  }
  return {
    ...{ ...account, code: '0x', deployment },
    sign: (text) => wrapped(account.sign(text), deployment),
  }
}

/** A signature as ERC-6492 has it: `abi.encode(factory, call, signature)` and the magic. */
function wrapped(signature: string, { factory, call }: { factory: Address; call: string }): string {
  const encodedCall = bytesOf(call)
  const offsets = [word(96), word(96 + encodedCall.length / 2)]
  const encoded = [word(BigInt(factory)), ...offsets, encodedCall, bytesOf(signature)]
  return `0x${encoded.join('')}${'6492'.repeat(16)}`
}

const word = (value: number | bigint): string => value.toString(16).padStart(64, '0')

/** Bytes in the encoding of contract calls: their number, and zeros up to whole words. */
function bytesOf(hex: string): string {
  const digits = hex.slice(2)
  return word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
}

/** One smart account on each chain of the sample world. */
export const sampleSmartAccounts = {
  deployed: deployed('brass_heron', 'POLYGON'),
  notDeployed: notDeployed('moth_lantern', 'BSC'),
} as const satisfies Record<string, SampleSmartAccount>
