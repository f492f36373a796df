import { validatorAnswer, validatorCall } from '../../../lib/adapters/accounts/validator-call.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { EvmChain } from './evm-chain.ts'

/** What the validator says on a chain of a signature; how its run has failed, if it has. */
export async function judge(
  chain: EvmChain,
  address: Address,
  text: string,
  signature: string,
): Promise<string> {
  const call = validatorCall(address, text, signature)
  if (!call) return 'refuses'
  const { failure, returned } = await chain.call({ ...call, gas: Number(call.gas) })
  return failure ?? validatorAnswer(returned) ?? returned
}
