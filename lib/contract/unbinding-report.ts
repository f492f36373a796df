import type * as v from 'valibot'
import type { ContractKey } from '../domain/nft.ts'
import type { unboundNfts } from './answers.ts'

/** The response to unbinding NFTs: the number of removed NFTs, also in a sentence (4.6, D36, D50). */
export function unbindingReport(
  { chain, address }: ContractKey,
  removed: number,
): v.InferInput<typeof unboundNfts> {
  const nfts = removed === 1 ? '1 NFT was' : `${removed} NFTs were`
  return { message: `${nfts} unbound from contract ${address} on ${chain}.`, removed }
}
