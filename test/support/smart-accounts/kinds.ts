import type { Address } from '../../../lib/domain/nft/address.ts'
import { creationOf } from './contracts.ts'
import type { EvmChain } from './evm-chain.ts'
import {
  counterfactual,
  newKey,
  type Owned,
  oneOwner,
  passkey,
  twoOwners,
  wrapped,
} from './signers.ts'

/** A smart account of a kind, which has code on its chain, or gets it from the factory that its signatures name. */
export interface SmartAccount {
  address: Address
  /** A signature by its owners, as its wallet sends it: `0x` and hex digits. */
  sign(text: string): string
  /** The signature of a text in the form of the kind, with the inner signature that is given. */
  wrap(inner: string): string
}

/** Makes a new account of a kind on a chain. */
export type Kind = (chain: EvmChain, chainId: number) => Promise<SmartAccount>

const account = (
  owned: Pick<Owned, 'sign'>,
  address: Address,
  chainId: number,
  wrap = (inner: string) => inner,
): SmartAccount => ({
  address,
  wrap,
  sign: (text) => wrap(owned.sign(text, address, chainId)),
})

const deployed =
  (make: () => Owned): Kind =>
  async (chain, chainId) => {
    const owned = make()
    return account(owned, await chain.deploy(owned.creation), chainId)
  }

/** An account without code. `isForwarded`: its signatures name a contract that calls the factory. */
const undeployed =
  (make: () => Owned, isForwarded = false): Kind =>
  async (chain, chainId) => {
    const owned = make()
    const factory = await chain.deploy(creationOf('Factory'))
    const { address, call } = counterfactual(factory, owned.creation)
    if (!isForwarded)
      return account(owned, address, chainId, (inner) => wrapped(factory, call, inner))
    const forward = await chain.deploy(creationOf('Forward'))
    const forwarded = `${factory}${call.slice(2)}`
    return account(owned, address, chainId, (inner) => wrapped(forward, forwarded, inner))
  }

/** The kinds of smart accounts. */
export const kinds = {
  'with one owner': deployed(oneOwner),
  'with two owners': deployed(twoOwners),
  'with a passkey': deployed(passkey),
  'that a factory creates when it is asked': undeployed(oneOwner),
  'with two owners that a contract has a factory create': undeployed(twoOwners, true),
  'with a passkey that a factory creates when it is asked': undeployed(passkey),
  'of a key that delegates to a contract (EIP-7702)': async (chain, chainId) => {
    const key = newKey()
    await chain.delegate(key.address, await chain.deploy(creationOf('OwnKey')))
    return account(oneOwner(key), key.address, chainId)
  },
} satisfies Record<string, Kind>
