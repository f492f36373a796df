import * as v from 'valibot'
import {
  address,
  describedNft,
  nft,
  rawMetadata,
  shownText,
  shownWholeNumber,
} from '../../lib/contract/answers.ts'
import {
  addressForm,
  describedNftFields,
  nftFields,
  rawMetadataField,
} from '../../lib/contract/documentation/nft-fields.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { chain, contractAddress } from '../../lib/contract/fields/nfts.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

const failedNft = v.object({
  ...nft.entries,
  reason: v.picklist(['no_link', 'not_available']),
  metadataLink: v.optional(shownText),
})

export const row = {
  id: 'refreshMetadata',
  section: '4.7',
  method: 'POST',
  paths: [`${base}/tokens/refresh`],
  auth: 'PRODUCT',
  limits: ['indexer_calls_by_minute', 'indexer_calls_by_day'],
  body: v.object({
    smartContract: contractAddress,
    chain: v.optional(chain()),
  }),
  answer: v.object({
    smartContract: address,
    chains: v.array(shownText),
    checked: shownWholeNumber,
    changed: shownWholeNumber,
    failed: shownWholeNumber,
    pending: shownWholeNumber,
    refreshedAt: v.pipe(shownText, v.isoTimestamp()),
    failures: v.array(failedNft),
    tokens: v.array(v.object({ ...describedNft.entries, rawMetadata })),
    omitted: v.optional(shownWholeNumber),
  }),
  problems: ['contract_not_connected', 'indexer_unavailable', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { Query: 2, PutItem: 2, getNFTMetadataBatch: 2 },
  first: { GetSecretValue: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Allowlist',
  summary: 'Refresh metadata',
  description:
    'Fetches the metadata of every allowlisted NFT of a contract from its source again, compares it with the known metadata, and returns the changes. Of a range, it covers the NFTs that exist: those that the indexer lists for the contract.\n\nThe request itself refreshes up to 200 NFTs in up to 20 seconds; the others are refreshed in the background and counted in `pending`. `tokens` has the changed NFTs, up to 5 MB; `omitted` counts the others. `failures` has the NFTs that this request could not fetch.\n\nA contract is refreshed at most once in 15 minutes for each product and chain. A repeated request within that time starts no refresh: it returns the current counts and their `refreshedAt`; `tokens` and `failures` are then empty, and `omitted` counts the changed NFTs.',
  requests: {
    everywhere: {
      summary: 'On every chain where the product has it',
      value: { smartContract: example.contracts.gear },
    },
    oneChain: {
      summary: 'On one chain',
      value: { smartContract: example.contracts.gear, chain: 'POLYGON' },
    },
  },
  answers: {
    changed: {
      summary: 'One of three has changed',
      value: {
        smartContract: example.contracts.gear,
        chains: ['POLYGON'],
        checked: 3,
        changed: 1,
        failed: 0,
        pending: 0,
        refreshedAt: '2026-01-01T09:30:00.000Z',
        failures: [],
        tokens: [
          {
            tokenId: '4',
            address: example.contracts.gear,
            chain: 'POLYGON',
            metadataLink: 'https://metadata.brindlewake.example/gear/4',
            rawMetadata: { name: 'Brass Storm Lantern of Stairfoot', maxSupply: 1250 },
          },
        ],
      },
    },
    pending: {
      summary: 'A long list, half-way through',
      value: {
        smartContract: example.contracts.keepers,
        chains: ['POLYGON'],
        checked: 200,
        changed: 0,
        failed: 1,
        pending: 200,
        refreshedAt: '2026-01-01T09:30:00.000Z',
        failures: [
          {
            tokenId: '60',
            address: example.contracts.keepers,
            chain: 'POLYGON',
            reason: 'not_available',
            metadataLink: 'https://metadata.brindlewake.example/keepers/60',
          },
        ],
        tokens: [],
      },
    },
  },
  invalidRequest: {
    summary: 'No contract',
    sent: { body: { chain: 'POLYGON' } },
    faults: { smartContract: 'is required' },
  },
  schemas: {
    ContractToRefresh: describedObject(row.body, 'A contract to refresh.', {
      smartContract: `Contract address: ${addressForm}`,
      chain: 'Chain name; if omitted, every chain on which the product has the contract.',
    }),
    RefreshReport: describedObject(row.answer, 'What a refresh has found so far.', {
      smartContract: 'Contract address, in lower case.',
      chains: 'The chains on which it was refreshed.',
      checked: 'How many NFTs were looked at.',
      changed: 'How many of them have other metadata now.',
      failed: 'How many could not be fetched from their source.',
      pending:
        'How many are still to be looked at, in the background; at least so many, if counting takes too long, or if the contract has ranges.',
      refreshedAt: 'When the refresh began, in UTC.',
      failures:
        'The NFTs that this request could not fetch, with the reason. An NFT that the background could not fetch counts in `failed` only.',
      tokens: 'The NFTs that this request found changed, as they are now.',
      omitted: 'How many changed NFTs are not among `tokens`. Absent if none.',
    }),
    FailedNft: describedObject(
      row.answer.entries.failures.item,
      'An NFT whose metadata could not be fetched.',
      {
        ...nftFields,
        reason:
          '`no_link`: the contract gives no location of a metadata document. `not_available`: the document at the location cannot be fetched or read, or the indexer does not know the NFT. Reasons can be added.',
        metadataLink:
          'Location of the metadata document. Absent if there is none, or if it is over 2,048 characters long, which is a document in a `data:` URI.',
      },
    ),
    RefreshedNft: describedObject(row.answer.entries.tokens.item, 'An NFT and its raw metadata.', {
      ...describedNftFields,
      rawMetadata: rawMetadataField,
    }),
  },
})
