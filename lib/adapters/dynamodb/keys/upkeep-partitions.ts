import { branded } from '../../../domain/branded.ts'
import type { Address } from '../../../domain/nft/address.ts'
import type { Chain } from '../../../domain/nft/chain.ts'
import type { Key } from './key.ts'

/** The partition of what the worker knows of its work for a chain and all of its contracts. */
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
