import type { SettledDigest } from '../../../domain/holdings/kept-event.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import { blockDigits } from './follow-partition.ts'
import type { Key } from './key.ts'

const partition = ({ chain, address }: ContractKey): string => `KEPTSUM#${chain}#${address}`

/** What has settled of a contract up to a block. What differs from it has another key. */
export const settledDigestKey = (
  contract: ContractKey,
  { after, upTo, digest }: Omit<SettledDigest, 'count'>,
): Key => ({
  pk: partition(contract),
  sk: `${blockDigits(upTo)}#${blockDigits(after)}#${digest}`,
})

/** What has settled up to each of the blocks after one and up to another one: sort keys between two. */
export const settledDigestsBetween = (
  contract: ContractKey,
  blocks: { after: number; upTo: number },
) => ({
  pk: partition(contract),
  // A block's digits alone come before everything of it.
  first: blockDigits(blocks.after + 1),
  end: blockDigits(blocks.upTo + 1),
})

/** The blocks and the digest in the sort key of what has settled. */
export function settledDigestFromKey(sk: string): Omit<SettledDigest, 'count'> {
  const [upTo, after, digest = ''] = sk.split('#')
  return { after: Number(after), upTo: Number(upTo), digest }
}
