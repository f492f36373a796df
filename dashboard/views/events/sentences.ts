import type { ProductEvent } from '../../../clients/typescript/src/types.ts'
import { counted } from '../../shell/counted.ts'

/** Gives a key the name under which people know it. */
export type NameOfKey = (keyId: string) => string

type Sentence = (event: ProductEvent, nameOf: NameOfKey) => string

/** The service records the first ten ranges of a request (D57). */
const maxRecordedRanges = 10

const sentences = new Map<string, Sentence>(
  Object.entries({
    registerProduct: () => 'Registered the product',
    updateProduct: () => 'Changed the product information',
    deleteProduct: () => 'Deleted the product',
    stopProduct: () => 'Stopped the product',
    startProduct: () => 'Started the product again',
    createKey: ({ newKeyId }, nameOf) => `Created the key ${named(newKeyId, nameOf)}`,
    rotateKey: ({ endedKeyId, newKeyId }, nameOf) =>
      `Replaced the key ${named(endedKeyId, nameOf)} with ${named(newKeyId, nameOf)}`,
    endKey: ({ endedKeyId }, nameOf) => `Ended the key ${named(endedKeyId, nameOf)}`,
    allowlistNfts: allowlisted,
    unbindNfts: ({ count, ranges }) =>
      `Unbound ${[nfts(count), ranges && rangeList(ranges)].filter(Boolean).join(' and ')}`,
    unbindContract: () => 'Unbound the contract and all its NFTs',
    refreshMetadata: ({ count }) => `Refreshed the metadata of ${nfts(count)}`,
  }),
)

/** The actions of events that have a sentence, by their `operationId`. */
export const knownActions: readonly string[] = [...sentences.keys()]

/**
 * What an event says, as a sentence without a full stop. The contract and the outcome are not part of it. An action
 * that is not known, from a later version of the service, is its `operationId`.
 */
export const sentenceOf = (event: ProductEvent, nameOf: NameOfKey): string =>
  sentences.get(event.action)?.(event, nameOf) ?? event.action

const labels = new Map(
  Object.entries({
    registerProduct: 'Registration',
    updateProduct: 'Change of the product',
    deleteProduct: 'Deletion of the product',
    stopProduct: 'Stop',
    startProduct: 'Start',
    createKey: 'New key',
    rotateKey: 'Replaced key',
    endKey: 'Ended key',
    allowlistNfts: 'Allowlisting',
    unbindNfts: 'Unbound NFTs',
    unbindContract: 'Unbound contract',
    refreshMetadata: 'Refresh',
  }),
)

/** The name of an action in a list of choices. */
export const actionLabel = (action: string): string => labels.get(action) ?? action

function allowlisted({ count, ranges }: ProductEvent): string {
  if (!ranges) return `Allowlisted ${nfts(count)}`
  // Each single NFT and each range of the request is one element.
  if (count === null || count <= ranges.length) return `Allowlisted ${rangeList(ranges)}`
  return `Allowlisted ${count.toLocaleString('en')} entries, with ${rangeList(ranges)}`
}

function rangeList(ranges: readonly string[]): string {
  if (ranges.includes('*')) return 'the whole collection'
  const more = ranges.length === maxRecordedRanges ? ', …' : ''
  return `${ranges.length === 1 ? 'the range' : 'the ranges'} ${ranges.join(', ')}${more}`
}

const nfts = (count: number | null) => (count === null ? 'NFTs' : counted(count, 'NFT'))

const named = (keyId: string | null, nameOf: NameOfKey) => (keyId === null ? '' : nameOf(keyId))
