import type { ListedKey, ProductEvent } from '../../../clients/typescript/src/types.ts'
import { isolated } from '../../components/foreign-text.tsx'
import { counted } from '../../shell/counted.ts'

/** Gives a key the name under which people know it. */
export type NameOfKey = (keyId: string) => string

type Sentence = (event: ProductEvent, nameOf: NameOfKey) => string

/** The service records the first ten ranges of a request (D57). */
const maxRecordedRanges = 10

const sentences = new Map<string, Sentence>(
  Object.entries({
    registerProduct: () => 'Registered the game',
    updateProduct: () => 'Changed the information about the game',
    deleteProduct: () => 'Deleted the game',
    stopProduct: () => 'Stopped the game',
    startProduct: () => 'Started the game again',
    createKey: ({ newKeyId }, nameOf) => `Created the key ${named(newKeyId, nameOf)}`,
    rotateKey: ({ endedKeyId, newKeyId }, nameOf) =>
      `Replaced the key ${named(endedKeyId, nameOf)} with ${named(newKeyId, nameOf)}`,
    endKey: ({ endedKeyId }, nameOf) => `Revoked the key ${named(endedKeyId, nameOf)}`,
    allowlistNfts: allowlisted,
    unbindNfts: ({ count, ranges }) =>
      `Removed ${[count === 0 && ranges ? '' : nfts(count), ranges && rangeList(ranges)].filter(Boolean).join(' and ')}`,
    unbindContract: () => 'Removed the contract and all its NFTs',
    createWebhook: ({ webhookId }) => `Created the webhook ${webhookId}`,
    updateWebhook: ({ webhookId }) => `Changed the webhook ${webhookId}`,
    rotateWebhookSecret: ({ webhookId }) => `Replaced the secret of the webhook ${webhookId}`,
    replayWebhook: ({ webhookId }) => `Let the webhook ${webhookId} send again`,
    deleteWebhook: ({ webhookId }) => `Deleted the webhook ${webhookId}`,
    pauseWebhook: ({ webhookId }) => `Paused the webhook ${webhookId} after failures`,
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
    updateProduct: 'Change of the game',
    deleteProduct: 'Deletion of the game',
    stopProduct: 'Stop',
    startProduct: 'Start',
    createKey: 'New key',
    rotateKey: 'Replaced key',
    endKey: 'Revoked key',
    allowlistNfts: 'Added NFTs',
    unbindNfts: 'Removed NFTs',
    unbindContract: 'Removed contract',
    refreshMetadata: 'Refresh',
    createWebhook: 'New webhook',
    updateWebhook: 'Changed webhook',
    rotateWebhookSecret: 'Replaced secret of a webhook',
    replayWebhook: 'Replay of a webhook',
    deleteWebhook: 'Deleted webhook',
    pauseWebhook: 'Paused webhook',
  }),
)

/** The name of an action in a list of choices. */
export const actionLabel = (action: string): string => labels.get(action) ?? action

function allowlisted({ count, ranges }: ProductEvent): string {
  if (!ranges) return `Added ${nfts(count)}`
  // Each single NFT and each range of the request is one element. After ten ranges, nobody knows how many of them are NFTs.
  if (ranges.length === maxRecordedRanges) return `Added NFTs and ${rangeList(ranges)}`
  const singles = count === null || ranges.includes('*') ? 0 : count - ranges.length
  return `Added ${singles > 0 ? `${nfts(singles)} and ` : ''}${rangeList(ranges)}`
}

function rangeList(ranges: readonly string[]): string {
  if (ranges.includes('*')) return 'the whole collection'
  const more = ranges.length === maxRecordedRanges ? ', …' : ''
  return `${ranges.length === 1 ? 'the range' : 'the ranges'} ${ranges.join(', ')}${more}`
}

const nfts = (count: number | null) => (count === null ? 'NFTs' : counted(count, 'NFT'))

const named = (keyId: string | null, nameOf: NameOfKey) =>
  keyId === null ? '' : isolated(nameOf(keyId))

/**
 * Names keys by their labels. A key that is not listed, because it ended more than 90 days ago, has its id as its name.
 * The last four characters tell keys with the same label apart.
 */
export function keyNames(keys: readonly ListedKey[]): NameOfKey {
  const byId = new Map(keys.map((key) => [key.keyId, key]))
  return (keyId) => {
    const key = byId.get(keyId)
    if (!key) return keyId
    const hasTwin = keys.some(({ label, keyId: id }) => label === key.label && id !== keyId)
    return `“${key.label}”${hasTwin ? ` (…${key.last4})` : ''}`
  }
}
