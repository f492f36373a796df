import { branded } from '../../../domain/branded.ts'
import type { SettledDigest } from '../../../domain/holdings/kept-event.ts'
import type { Address } from '../../../domain/nft/address.ts'
import type { Chain } from '../../../domain/nft/chain.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import type { SnapshotKey } from '../../../domain/ports/kept-contracts.ts'
import type { Day } from '../../../domain/usage/usage.ts'
import { blockDigits, indexDigits } from './follow-partition.ts'
import type { Key } from './key.ts'

/** The list of what a wallet holds in a snapshot. */
export interface ListKey {
  snapshot: SnapshotKey
  wallet: Address
}

/** Items of a kind, one for each contract, and those of all contracts of a chain. */
const ofContracts = (kind: string) => ({
  keyOf: ({ chain, address }: ContractKey): Key => ({ pk: `${kind}#${chain}`, sk: address }),
  allOf: (chain: Chain) => ({ pk: `${kind}#${chain}`, prefix: '0x' }),
})

/** The contracts that are kept, or are about to be. */
export const { keyOf: keptContractKey, allOf: keptContractsOf } = ofContracts('KEPT')

export const keptAddressFromKey = (sk: string): Address => branded(sk)

export const { keyOf: snapshotAttemptKey, allOf: snapshotAttemptsOf } = ofContracts('KEPTTRY')

/** What says that a pass or a snapshot has lists. */
export const snapshotListsKey = ({ chain, address, id }: SnapshotKey): Key => ({
  pk: `KEPTLISTS#${chain}`,
  sk: `${address}#${id}`,
})

export const snapshotListsOf = (chain: Chain) => ({ pk: `KEPTLISTS#${chain}`, prefix: '0x' })

/** Wallets that have lists in a snapshot: one of several items. */
export const snapshotHoldersKey = (snapshot: SnapshotKey, name: string): Key => ({
  pk: snapshotHoldersPartition(snapshot),
  sk: name,
})

export const snapshotHoldersPartition = ({ chain, address, id }: SnapshotKey): string =>
  `KEPTOWN#${chain}#${address}#${id}`

/** The head of a list. Those of a wallet on a chain are in one partition. */
export const listHeadKey = ({ snapshot: { chain, address, id }, wallet }: ListKey): Key => ({
  pk: `HOLD#${chain}#${wallet}`,
  sk: `${address}#${id}`,
})

export const listHeadsOf = (chain: Chain, wallet: Address) => ({
  pk: `HOLD#${chain}#${wallet}`,
  prefix: '0x',
})

/** The contract and the snapshot in the sort key of a head, or of what says that they have lists. */
export function snapshotFromKey(sk: string): Pick<SnapshotKey, 'address' | 'id'> {
  const [address = '', id = ''] = sk.split('#')
  return { address: branded(address), id }
}

/** The partition of a list that stands apart from its head. */
export const listPartition = ({ snapshot: { chain, address, id }, wallet }: ListKey): string =>
  `HOLDING#${chain}#${address}#${id}#${wallet}`

/** All items of a list that stands apart. */
export const listItemsOf = (list: ListKey) => ({ pk: listPartition(list) })

/** The directory that the head of a list names. */
export const listDirectoryKey = (list: ListKey, name: string): Key => ({
  pk: listPartition(list),
  sk: `LIST#${name}`,
})

export const listPartKey = (list: ListKey, slot: number): Key => ({
  pk: listPartition(list),
  sk: `${slot}`,
})

const partitionOf = (kind: string, { chain, address }: ContractKey): string =>
  `${kind}#${chain}#${address}`

/** A settled event in the log of a kept contract. The order of the keys is that of the chain. */
export const keptLogKey = (
  contract: ContractKey,
  { block, index }: { block: number; index: number },
): Key => ({
  pk: partitionOf('KEPTLOG', contract),
  sk: `${blockDigits(block)}#${indexDigits(index)}`,
})

/** The logged events in the blocks after one and up to another one. */
export const keptLogBetween = (contract: ContractKey, blocks: BlockRange) => ({
  pk: partitionOf('KEPTLOG', contract),
  between: digitsBetween(blocks),
})

interface BlockRange {
  after: number
  upTo: number
}

/** The sort keys of what is in these blocks: a block's digits alone come before everything of it. */
const digitsBetween = ({ after, upTo }: BlockRange) =>
  [blockDigits(after + 1), blockDigits(upTo + 1)] as const

/** The block and index in the sort key of a logged event. */
export function keptLogPlaceFromKey(sk: string): { block: number; index: number } {
  const [block, index] = sk.split('#')
  return { block: Number(block), index: Number(index) }
}

/** What has settled of a contract up to a block. What differs from it has another key. */
export const settledDigestKey = (
  contract: ContractKey,
  { after, upTo, digest }: Omit<SettledDigest, 'count'>,
): Key => ({
  pk: partitionOf('KEPTSUM', contract),
  sk: `${blockDigits(upTo)}#${blockDigits(after)}#${digest}`,
})

/** What has settled up to each of the blocks after one and up to another one. */
export const settledDigestsBetween = (contract: ContractKey, blocks: BlockRange) => ({
  pk: partitionOf('KEPTSUM', contract),
  between: digitsBetween(blocks),
})

/** The blocks and the digest in the sort key of what has settled. */
export function settledDigestFromKey(sk: string): Omit<SettledDigest, 'count'> {
  const [upTo, after, digest = ''] = sk.split('#')
  return { after: Number(after), upTo: Number(upTo), digest }
}

export const contractUseKey = (contract: ContractKey, day: Day): Key => ({
  pk: partitionOf('KEPTUSE', contract),
  sk: day,
})

/** The reads of a contract from one day to another, both included. */
export const contractUsesBetween = (contract: ContractKey, first: Day, last: Day) => ({
  pk: partitionOf('KEPTUSE', contract),
  between: [first, last] as const,
})

/** The contracts that have enough reads to be kept. */
export const { keyOf: wantedContractKey, allOf: wantedContractsOf } = ofContracts('KEPTWANT')

export const contractChoiceKey: Key = { pk: 'KEPTCHOICE#ALL', sk: 'SWAP' }

export const carePartition = (chain: Chain): string => `KEPTCARE#${chain}`

/** What the worker knows of its work for a kept contract, or for the chain itself. */
export const careKey = ({ chain, address }: { chain: Chain; address?: Address }): Key => ({
  pk: carePartition(chain),
  sk: address ?? 'LOOK',
})

/** When the worker looks at all kept contracts next. */
export const upkeepTurnKey: Key = { pk: 'KEPTCARE#ALL', sk: 'TURN' }

/** The contract in the sort key of its notes; `undefined` for those of the chain. */
export const careAddressFromKey = (sk: unknown): Address | undefined =>
  typeof sk === 'string' && sk.startsWith('0x') ? branded(sk) : undefined
