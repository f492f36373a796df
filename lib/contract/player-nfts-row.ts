import * as v from 'valibot'
import { type Chain, chainsOpenByDefault } from '../domain/nft/chain.ts'
import { maxPlayerNftsPerPage } from '../domain/player/player-nfts.ts'
import { cursor } from './fields/cursors.ts'
import { chainFilter } from './fields/nfts.ts'
import { count } from './fields/numbers.ts'
import type { OpenChains, OperationRequests } from './route.ts'

const entriesOn = (openChains: OpenChains) => ({
  chains: v.optional(chainFilter(openChains)),
  chainDtos: v.optional(chainFilter(openChains)),
  limit: v.optional(count(1, maxPlayerNftsPerPage)),
  cursor: v.optional(cursor),
})

const nameTheSame = ({ chains, chainDtos }: { chains?: Chain[]; chainDtos?: Chain[] }) =>
  chains === undefined || chainDtos === undefined || `${chains}` === `${chainDtos}`
const otherName = 'is another name of chains and must have the same value'

const playerNftsOn = (openChains: OpenChains) =>
  v.pipe(
    v.object(entriesOn(openChains)),
    v.forward(v.partialCheck([['chains'], ['chainDtos']], nameTheSame, otherName), ['chainDtos']),
  )

const rawNftsOn = (openChains: OpenChains) =>
  v.pipe(
    v.object({
      ...entriesOn(openChains),
      rawMetadata: v.optional(v.picklist(['text'], 'must be text, or absent')),
    }),
    v.forward(v.partialCheck([['chains'], ['chainDtos']], nameTheSame, otherName), ['chainDtos']),
  )

/**
 * The query of 4.9 (D13, D25). `chains` and `chainDtos` are one parameter (D51). Messages name the open chains (D56).
 */
const playerNftsRange = Object.assign(playerNftsOn(chainsOpenByDefault), {
  withOpenChains: playerNftsOn,
})

/** The query of 4.8: that of 4.9, and the form of the metadata (D130). */
export const rawNftsRange = Object.assign(rawNftsOn(chainsOpenByDefault), {
  withOpenChains: rawNftsOn,
})

/** The columns that the two operations have in common that read a player's NFTs. */
export const readingPlayerNfts = {
  method: 'GET',
  auth: 'PRODUCT',
  scope: 'READ',
  clientAccess: true,
  limits: [
    'client_reads',
    'indexer_calls_by_minute',
    'indexer_calls_by_day',
    'client_indexer_calls_by_minute',
    'client_indexer_calls_by_day',
  ],
  player: true,
  query: playerNftsRange,
  form: 'paged',
  hasAge: true,
  problems: ['cursor_expired', 'indexer_unavailable', 'service_unavailable'],
} as const

/** What a call of either asks, for a player with three wallets of one page each, two of them with allowlisted NFTs. */
export const requestsOfPlayerNfts: OperationRequests = {
  each: { Query: 1, getNFTsForOwner: 3, BatchGetItem: 2 },
  first: { GetSecretValue: 1 },
  units: { read: 7 },
}
