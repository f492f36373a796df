import * as v from 'valibot'
import type { TokenId } from '../../../domain/allowlist/token-id.ts'
import { branded } from '../../../domain/branded.ts'
import {
  type KeptContract,
  newKeptContract,
  type SnapshotEnd,
} from '../../../domain/holdings/kept-contract.ts'
import type { KeptEvent, Moved } from '../../../domain/holdings/kept-event.ts'
import type { Address } from '../../../domain/nft/address.ts'
import type { Chain } from '../../../domain/nft/chain.ts'
import type { KeptContracts } from '../../../domain/ports/kept-contracts.ts'
import { brandedText } from '../../branded-text.ts'
import { readItem } from '../item-reads.ts'
import { keptAddressFromKey, keptContractKey } from '../keys/kept-partitions.ts'
import type { Table } from '../table.ts'
import { digestOf } from './content-digest.ts'

/** The NFTs that an event moves, in a text of {@link movedText}. */
export const movedForm = v.pipe(
  v.string(),
  v.transform((text) => (text === '' ? [] : text.split(' '))),
  v.array(v.pipe(v.string(), v.regex(/^\d+(?:[:-]\d+)?$/), v.transform(movedIn))),
)

/** From or to whom an event moves NFTs. */
export const walletForm = v.nullable(brandedText<Address>())

/** NFTs as a compact text: `7` is one, `7:5` are five of one identifier, and `7-9` is one of each of three. */
export const movedText = (moved: KeptEvent['moved']): string => moved.map(textOf).join(' ')

function textOf(moved: Moved): string {
  if ('fromTokenId' in moved) return `${moved.fromTokenId}-${moved.toTokenId}`
  return moved.amount === 1n ? moved.tokenId : `${moved.tokenId}:${moved.amount}`
}

function movedIn(text: string): Moved {
  const [first = '', last] = text.split('-')
  if (last !== undefined) return { fromTokenId: branded(first), toTokenId: branded(last) }
  const [tokenId = '', amount = '1'] = text.split(':')
  return { tokenId: branded(tokenId), amount: BigInt(amount) }
}

/** An event in few bytes, because a contract has thousands of them in its item. */
const eventTuple = v.pipe(
  v.strictTuple([v.number(), v.string(), v.number(), walletForm, walletForm, movedForm]),
  v.transform(
    ([block, hash, index, from, to, moved]): KeptEvent => ({ block, hash, index, from, to, moved }),
  ),
)

const standard = v.picklist(['ERC721', 'ERC1155'])

const snapshot = v.object({
  id: v.string(),
  standard,
  step: v.number(),
  since: v.number(),
  at: v.number(),
})

/** What names an item, and what a write in its place names. */
const identity = v.object({
  sk: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/)),
  version: v.number(),
})

/** A contract that is kept, or is about to be. All times are in milliseconds since 1970. */
const contractItem = v.object({
  ...identity.entries,
  settledUpTo: v.number(),
  eventsAfter: v.number(),
  settledAt: v.number(),
  readUpTo: v.number(),
  events: v.array(eventTuple),
  changed: v.optional(
    v.array(
      v.object({
        fromTokenId: brandedText<TokenId>(),
        toTokenId: brandedText<TokenId>(),
        at: v.number(),
      }),
    ),
  ),
  lacksSince: v.optional(v.number()),
  log: v.optional(
    v.object({
      standard,
      since: v.optional(v.object({ number: v.number(), at: v.number() })),
    }),
  ),
  snapshot: v.optional(snapshot),
  prepared: v.optional(snapshot),
  ended: v.optional(
    v.object({
      ...{ reason: brandedText<SnapshotEnd>(), at: v.number() },
      ...{ id: v.optional(v.string()), isRepeated: v.optional(v.boolean()) },
    }),
  ),
})

/** The item of a contract. The digest tells whether another item has the same content. */
export function contractItemOf(chain: Chain, { address, events, ...others }: KeptContract) {
  const content = {
    ...others,
    events: events.map(({ block, hash, index, from, to, moved }) => [
      ...[block, hash, index, from, to],
      movedText(moved),
    ]),
  }
  const digest = digestOf(JSON.stringify(content))
  return { ...keptContractKey({ chain, address }), ...content, digest }
}

/** The contract in an item; `undefined` if it is damaged. */
export function contractIn(item: unknown): KeptContract | undefined {
  const { success, output } = v.safeParse(contractItem, item)
  if (!success) return undefined
  const { sk, ...contract } = output
  return { address: keptAddressFromKey(sk), ...contract }
}

/**
 * The contract in an item, as those need it who write the next one: if the item is damaged, one of which nothing is known yet, with its version,
 * so that it does not stay for ever. `undefined` if the version is damaged, too.
 */
export function contractToReplace(item: unknown): KeptContract | undefined {
  const contract = contractIn(item)
  if (contract) return contract
  const { success, output } = v.safeParse(identity, item)
  if (!success) return undefined
  return { ...newKeptContract(keptAddressFromKey(output.sk)), version: output.version }
}

/** Reads a contract that is kept, or is about to be. Reads that begin at the same moment are one request. */
export const dynamoKeptContract =
  (table: Table): KeptContracts['contract'] =>
  async (key) =>
    contractIn(await readItem(table, keptContractKey(key)))
