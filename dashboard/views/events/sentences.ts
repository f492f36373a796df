import type { ListedKey, ProductEvent } from '../../../clients/typescript/src/types.ts'
import { isolated } from '../../components/foreign-text.tsx'
import { counted } from '../../shell/counted.ts'

/** Gives a key the name under which people know it. */
export type NameOfKey = (keyId: string) => string

type Sentence = (event: ProductEvent, nameOf: NameOfKey) => string

/** The service records the first ten ranges of a request (D57). */
const maxRecordedRanges = 10

/** The name of each action in a list of choices, and what an event of it says. */
const actions = {
  registerProduct: ['Registration', () => 'Registered the game'],
  updateProduct: ['Change of the game', () => 'Changed the information about the game'],
  deleteProduct: ['Deletion of the game', () => 'Deleted the game'],
  stopProduct: ['Stop', () => 'Stopped the game'],
  startProduct: ['Start', () => 'Started the game again'],
  createKey: ['New key', ({ newKeyId }, nameOf) => `Created the key ${named(newKeyId, nameOf)}`],
  rotateKey: [
    'Replaced key',
    ({ endedKeyId, newKeyId }, nameOf) =>
      `Replaced the key ${named(endedKeyId, nameOf)} with ${named(newKeyId, nameOf)}`,
  ],
  endKey: [
    'Revoked key',
    ({ endedKeyId }, nameOf) => `Revoked the key ${named(endedKeyId, nameOf)}`,
  ],
  allowlistNfts: ['Added NFTs', allowlisted],
  unbindNfts: ['Removed NFTs', unbound],
  unbindContract: ['Removed contract', () => 'Removed the contract and all its NFTs'],
  createWebhook: ['New webhook', ({ webhookId }) => `Created the webhook ${webhookId}`],
  updateWebhook: ['Changed webhook', ({ webhookId }) => `Changed the webhook ${webhookId}`],
  rotateWebhookSecret: [
    'Replaced secret of a webhook',
    ({ webhookId }) => `Replaced the secret of the webhook ${webhookId}`,
  ],
  replayWebhook: [
    'Replay of a webhook',
    ({ webhookId }) => `Let the webhook ${webhookId} send again`,
  ],
  deleteWebhook: ['Deleted webhook', ({ webhookId }) => `Deleted the webhook ${webhookId}`],
  pauseWebhook: [
    'Paused webhook',
    ({ webhookId }) => `Paused the webhook ${webhookId} after failures`,
  ],
  refreshMetadata: ['Refresh', ({ count }) => `Refreshed the metadata of ${nfts(count)}`],
} satisfies Record<string, readonly [label: string, sentence: Sentence]>

/** The actions of events that have a sentence, by their `operationId`. */
export type KnownAction = keyof typeof actions

const table = new Map<string, readonly [label: string, sentence: Sentence]>(Object.entries(actions))

export const knownActions: readonly string[] = [...table.keys()]

/**
 * What an event says, as a sentence without a full stop. The contract and the outcome are not part of it. An action
 * that is not known, from a later version of the service, is its `operationId`.
 */
export const sentenceOf = (event: ProductEvent, nameOf: NameOfKey): string =>
  table.get(event.action)?.[1](event, nameOf) ?? event.action

export const actionLabel = (action: string): string => table.get(action)?.[0] ?? action

function unbound({ count, ranges }: ProductEvent): string {
  const parts = [count === 0 && ranges ? '' : nfts(count), ranges && rangeList(ranges)]
  return `Removed ${parts.filter(Boolean).join(' and ')}`
}

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
