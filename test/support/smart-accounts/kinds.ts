import type { Address } from '../../../lib/domain/nft/address.ts'
import { creationOf } from './contracts.ts'
import type { EvmChain } from './evm-chain.ts'
import { counterfactual, newKey, oneOwner, wrapped } from './signers.ts'

/** A smart account of a kind, which has code on its chain, or gets it from the factory that its signatures name. */
interface SmartAccount {
  address: Address
  /** A signature by its owner, as its wallet sends it: `0x` and hex digits. */
  sign(text: string): string
}

/** Makes a new account of a kind on a chain. */
type Kind = (chain: EvmChain, chainId: number) => Promise<SmartAccount>

/** An account without code. `isForwarded`: its signatures name a contract that calls the factory. */
const undeployed =
  (isForwarded: boolean): Kind =>
  async (chain, chainId) => {
    const owned = oneOwner()
    const factory = await chain.deploy(creationOf('Factory'))
    const { address, call } = counterfactual(factory, owned.creation)
    const [named, callOfNamed] = isForwarded
      ? [await chain.deploy(creationOf('Forward')), `${factory}${call.slice(2)}`]
      : [factory, call]
    const sign = (text: string) => wrapped(named, callOfNamed, owned.sign(text, address, chainId))
    return { address, sign }
  }

/** The kinds of smart accounts. */
export const kinds: Record<string, Kind> = {
  async 'with one owner'(chain, chainId) {
    const owned = oneOwner()
    const address = await chain.deploy(owned.creation)
    return { address, sign: (text) => owned.sign(text, address, chainId) }
  },
  'that a factory creates when it is asked': undeployed(false),
  'that a contract has a factory create': undeployed(true),
  async 'of a key that delegates to a contract (EIP-7702)'(chain, chainId) {
    const key = newKey()
    await chain.delegate(key.address, await chain.deploy(creationOf('OwnKey')))
    const sign = (text: string) => oneOwner(key).sign(text, key.address, chainId)
    return { address: key.address, sign }
  },
}
