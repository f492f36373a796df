import type * as v from 'valibot'
import { tokenElementText } from '../domain/allowlist/token-element.ts'
import type { Unbinding } from '../domain/allowlist/unbind-nfts.ts'
import type { ContractKey } from '../domain/nft/nft.ts'
import type { unboundNfts } from './answers.ts'

/**
 * The response to unbinding NFTs: the number of removed NFTs, and a sentence with the ranges of the request (4.6, D36,
 * D50, D57).
 */
export function unbindingReport(
  { chain, address }: ContractKey,
  { removed, ranges }: Unbinding,
): v.InferInput<typeof unboundNfts> {
  const nfts = `${removed} ${removed === 1 ? 'NFT' : 'NFTs'}`
  const names = ranges.map(tokenElementText).join(', ')
  const unbound =
    names === '' ? nfts : `${nfts} and the ${ranges.length === 1 ? 'range' : 'ranges'} ${names}`
  const verb = removed === 1 && names === '' ? 'was' : 'were'
  return { message: `${unbound} ${verb} unbound from contract ${address} on ${chain}.`, removed }
}
