import {
  fromSortableTokenId,
  sortableTokenId,
  type TokenId,
} from '../../domain/allowlist/token-id.ts'
import { branded } from '../../domain/branded.ts'
import { ServiceUnavailable } from '../../domain/failures.ts'
import type { Address } from '../../domain/nft/address.ts'
import { type Chain, isChain } from '../../domain/nft/chain.ts'
import type { BindingId, ContractKey } from '../../domain/nft/nft.ts'
import type { LogPlace } from '../../domain/nft-events/nft-event.ts'
import type { ProductId } from '../../domain/product/product.ts'
import type { KeyId } from '../../domain/product/product-key.ts'
import type { ReadingId, ReadingScope } from '../../domain/reading/kept-reading.ts'
import type { WebhookId } from '../../domain/webhooks/webhook-id.ts'
import { tableSettings } from '../../settings/resources.ts'
import type { AwsService } from '../aws/aws-attempts.ts'
import { type AwsClient, awsClient } from '../aws/aws-client.ts'

/** The table of the service, and the client that reaches it. */
export interface Table {
  client: AwsClient
  name: string
  /** The maximum number of concurrent requests that one call of an adapter makes. */
  requestsAtOnce: number
}

export const dynamodb: AwsService = {
  name: 'DynamoDB',
  signingName: 'dynamodb',
  counted: 'dynamodb',
  target: 'DynamoDB_20120810',
  version: '1.0',
  bytes: ['B', 'BS'],
  // Of a table that is written in several Regions with strong consistency.
  retryable: ['ReplicatedWriteConflictException'],
}

/** Opens the table that the settings name. Makes no request. */
export function openTable({ requestsAtOnce = 40 } = {}): Table {
  const { tableName, isInMaintenance } = tableSettings()
  const client = isInMaintenance ? inMaintenance : awsClient(dynamodb)
  return { client, name: tableName, requestsAtOnce }
}

/** The time after which a caller may try again, in seconds. Maintenance lasts for minutes or hours. */
const maintenanceRetrySeconds = 60

/** A client whose calls fail without a request (D44). */
const inMaintenance: AwsClient = {
  send: () => Promise.reject(new ServiceUnavailable('maintenance', maintenanceRetrySeconds)),
}

/** A primary key of the table. */
export interface Key {
  pk: string
  sk: string
}

/** The primary key of an item as a text: two items with the same text are the same item. */
export const keyText = ({ pk, sk }: { pk?: unknown; sk?: unknown }): string => `${pk}|${sk}`

/** The keys of items that were read with their keys. */
export const keysOf = (items: readonly Readonly<Record<string, unknown>>[]): Key[] =>
  // Every item of the table has both attributes as text, and a check would cost a batch of keys time.
  items as readonly unknown[] as Key[]

const profile = 'PROFILE'
const limits = 'LIMITS'
const contractPrefix = 'CONTRACT#'
const eventPrefix = 'EVENT#'
const tokenPrefix = 'TOKEN#'

export const productKey = (productId: ProductId): Key => ({
  pk: `PRODUCT#${productId}`,
  sk: profile,
})

export const apiKeyKey = (digest: string): Key => ({ pk: `API_KEY#${digest}`, sk: 'API_KEY' })

const keyPrefix = 'KEY#'

/** The record of an API key in the partition of its product. */
export const keyRecordKey = (productId: ProductId, keyId: KeyId): Key => ({
  pk: productKey(productId).pk,
  sk: `${keyPrefix}${keyId}`,
})

/** The records of all API keys of a product. */
export const keyRecordsOf = (productId: ProductId) => ({
  pk: productKey(productId).pk,
  prefix: keyPrefix,
})

export const playerKey = (userId: number): Key => ({ pk: `PLAYER#${userId}`, sk: profile })

const familyPrefix = 'FAMILY#'

/** A family of refresh tokens, in the partition of the player (D99). */
export const familyKey = (userId: number, familyId: string): Key => ({
  pk: playerKey(userId).pk,
  sk: `${familyPrefix}${familyId}`,
})

/** All families of refresh tokens of a player. */
export const familiesOf = (userId: number) => ({ pk: playerKey(userId).pk, prefix: familyPrefix })

const sessionPrefix = 'SESSION#'

/** A session, in the partition of the player (D100). */
export const sessionKey = (userId: number, digest: string): Key => ({
  pk: playerKey(userId).pk,
  sk: `${sessionPrefix}${digest}`,
})

/** All sessions of a player. */
export const sessionsOf = (userId: number) => ({ pk: playerKey(userId).pk, prefix: sessionPrefix })

/** The counters of a product's limits (D47). */
export const productLimitsKey = (productId: ProductId): Key => ({
  pk: productKey(productId).pk,
  sk: limits,
})

/** The counters of a player's limits (D47). */
export const playerLimitsKey = (userId: number): Key => ({ pk: playerKey(userId).pk, sk: limits })

/** The counters of the registrations of an hour, which is given in hours since 1970 (D47). */
export const registrationsKey = (hour: number): Key => ({ pk: `REGISTRATIONS#${hour}`, sk: limits })

/** The counters of the limits of a network, under its digest (D107). */
export const networkLimitsKey = (digest: string): Key => ({ pk: `NETWORK#${digest}`, sk: limits })

/** The counters of the limits of all sign-ins with wallets together (D107). */
export const signInLimitsKey: Key = { pk: 'SIGN_INS#ALL', sk: limits }

/** The subject to whom a user id is assigned, in the partition of the player (D41). */
export const subjectKey = (userId: number): Key => ({ pk: playerKey(userId).pk, sk: 'SUBJECT' })

/** The user id that is assigned to a subject, under the digest of its issuer and subject (D41). */
export const userKey = (digest: string): Key => ({ pk: `USER#${digest}`, sk: 'USER' })

export const contractKey = (productId: ProductId, { chain, address }: ContractKey): Key => ({
  pk: productKey(productId).pk,
  sk: `${contractPrefix}${chain}#${address}`,
})

/** All contracts of a product. Their sort keys have the order of D18. */
export const contractsOf = (productId: ProductId) => ({
  pk: productKey(productId).pk,
  prefix: contractPrefix,
})

/** The chain and address in the sort key of a contract. */
export function contractFromKey(sk: string): ContractKey {
  const [chain = '', address = ''] = sk.slice(contractPrefix.length).split('#')
  if (!isChain(chain)) throw new Error('the table holds a contract on an unknown chain')
  return { chain, address: branded(address) }
}

export const refreshKey = (productId: ProductId, { chain, address }: ContractKey): Key => ({
  pk: productKey(productId).pk,
  sk: `REFRESH#${chain}#${address}`,
})

export const eventKey = (productId: ProductId, eventId: string): Key => ({
  pk: productKey(productId).pk,
  sk: `${eventPrefix}${eventId}`,
})

const webhookPrefix = 'WEBHOOK#'

/** A webhook, in the partition of its product (D121). */
export const webhookKey = (productId: ProductId, webhookId: WebhookId): Key => ({
  pk: productKey(productId).pk,
  sk: `${webhookPrefix}${webhookId}`,
})

/** All webhooks of a product. */
export const webhooksOf = (productId: ProductId) => ({
  pk: productKey(productId).pk,
  prefix: webhookPrefix,
})

/** The counters of the tests of a product's webhooks (D121). */
export const webhookTestsKey = (productId: ProductId): Key => ({
  pk: productKey(productId).pk,
  sk: 'WEBHOOK_TESTS',
})

/** The counters of the tests of all products to a host (D121). */
export const webhookHostKey = (host: string): Key => ({ pk: `WEBHOOK_HOST#${host}`, sk: limits })

/** The counters of the replays of a webhook (D121). */
export const webhookReplaysKey = (productId: ProductId, webhookId: WebhookId): Key => ({
  pk: productKey(productId).pk,
  sk: `WEBHOOK_REPLAYS#${webhookId}`,
})

/** The event id in the sort key of an event. */
export const eventIdFromKey = (sk: string): string => sk.slice(eventPrefix.length)

const walletPartition = (owner: Address): string => `WALLET#${owner}`

/**
 * The readings of one scope that are kept for cursors, in the partition of the wallet (D88). Their sort keys end with
 * the reading id; `run` is the digest of the contracts.
 */
export const keptReadingsOf = (
  { productId, chain, owner }: Pick<ReadingScope, 'productId' | 'chain' | 'owner'>,
  run: string,
) => ({ pk: walletPartition(owner), prefix: `READING#${productId}#${chain}#${run}#` })

/** The latest kept reading of one scope (D88): its key is known without the reading id. */
export const latestReadingKey = (
  { productId, chain, owner }: Pick<ReadingScope, 'productId' | 'chain' | 'owner'>,
  run: string,
): Key => ({ pk: walletPartition(owner), sk: `READING#LATEST#${productId}#${chain}#${run}` })

/**
 * What belongs to one reading of a scope and is kept apart from it (D91): its parts, and what it was when a request has
 * left it. The content determines the digest.
 */
export const keptPartKey = (
  { productId, chain, owner }: Pick<ReadingScope, 'productId' | 'chain' | 'owner'>,
  run: string,
  kind: 'PART' | 'BEGUN',
  { id, digest }: { id: ReadingId; digest: string },
): Key => ({
  pk: walletPartition(owner),
  sk: `READING#${kind}#${productId}#${chain}#${run}#${id}#${digest}`,
})

/** The partition of a wallet, and the beginnings of the sort keys of what is kept of it (D65). */
export const keptOf = (owner: Address) => ({
  pk: walletPartition(owner),
  prefixes: ['READING#', 'BALANCE#'],
})

/** Who has a wallet that signs in by itself (D98). */
export const walletOwnerKey = (address: Address): Key => ({
  pk: walletPartition(address),
  sk: 'OWNER',
})

/** The nonce of a sign-in message that was used (D97). */
export const usedNonceKey = (nonce: string): Key => ({ pk: `NONCE#${nonce}`, sk: 'NONCE' })

/** The grant of a device, under the digest of its user code (D101). */
export const deviceGrantKey = (digest: string): Key => ({ pk: `DEVICE#${digest}`, sk: 'DEVICE' })

/** The kept balance of a token in a wallet (D65). */
export const keptBalanceKey = (owner: Address, { chain, address }: ContractKey): Key => ({
  pk: walletPartition(owner),
  sk: `BALANCE#${chain}#${address}`,
})

/** The latest movement of a contract's NFTs from or to a wallet (D66). */
export const movementKey = (owner: Address, { chain, address }: ContractKey): Key => ({
  pk: walletPartition(owner),
  sk: `MOVED#${chain}#${address}`,
})

/** The movements of a wallet on a chain. */
export const movementsOf = (owner: Address, chain: Chain) => ({
  pk: walletPartition(owner),
  prefix: `MOVED#${chain}#`,
})

/** How far a followed chain is read, and who follows it (D66). */
export const followKey = (chain: Chain): Key => ({ pk: `FOLLOW#${chain}`, sk: 'POSITION' })

/** A followed contract (D66). */
export const followedContractKey = ({ chain, address }: ContractKey): Key => ({
  pk: followKey(chain).pk,
  sk: `${contractPrefix}${address}`,
})

/** All contracts that are followed on a chain. */
export const followedContractsOf = (chain: Chain) => ({
  pk: followKey(chain).pk,
  prefix: contractPrefix,
})

/** The address in the sort key of a followed contract. */
export const followedAddressFromKey = (sk: string): Address =>
  branded(sk.slice(contractPrefix.length))

const subscriberPrefix = 'SUBSCRIBER#'

/** A product with webhooks that are told of the events of a contract (D121). */
export const subscriberKey = ({ chain, address }: ContractKey, productId: ProductId): Key => ({
  pk: followKey(chain).pk,
  sk: `${subscriberPrefix}${address}#${productId}`,
})

/** The partition of all products with webhooks, beside those of the chains. */
const productsWithWebhooks = 'FOLLOW#WEBHOOKS'

/** A product with webhooks (D121). */
export const webhookProductKey = (productId: ProductId): Key => ({
  pk: productsWithWebhooks,
  sk: productKey(productId).pk,
})

/** All such products. */
export const webhookProducts = { pk: productsWithWebhooks, prefix: productKey(branded('')).pk }

/** The product in the sort key of such an item. */
export const webhookProductFromKey = (sk: string): ProductId =>
  branded(sk.slice(webhookProducts.prefix.length))

/** All products that are told of the events of a contract, or of any contract of a chain. */
export const subscribersOf = ({ chain, address }: { chain: Chain; address?: Address }) => ({
  pk: followKey(chain).pk,
  prefix: address === undefined ? subscriberPrefix : `${subscriberPrefix}${address}#`,
})

/** The contract and the product in the sort key of a subscription. */
export function subscriptionFromKey(sk: string): { address: Address; productId: ProductId } {
  const [address = '', productId = ''] = sk.slice(subscriberPrefix.length).split('#')
  return { address: branded(address), productId: branded(productId) }
}

const milestonePrefix = 'MILESTONE#'

/** Block numbers and indexes as digits, so that the order of texts is that of numbers. */
const blockDigits = (number: number): string => `${number}`.padStart(16, '0')
const indexDigits = (index: number): string => `${index}`.padStart(8, '0')

/** A milestone of a followed chain (D117). */
export const milestoneKey = (chain: Chain, number: number): Key => ({
  pk: followKey(chain).pk,
  sk: `${milestonePrefix}${blockDigits(number)}`,
})

/** All milestones of a chain, in the order of their blocks. */
export const milestonesOf = (chain: Chain) => ({ pk: followKey(chain).pk, prefix: milestonePrefix })

/** An entry of the log of a contract (D117). The order of the keys is that of the chain. */
export const logEntryKey = ({ chain, address }: ContractKey, at: LogPlace): Key => ({
  pk: `${followKey(chain).pk}#${address}`,
  sk:
    at.logIndex === undefined
      ? blockDigits(at.block)
      : `${blockDigits(at.block)}#${indexDigits(at.logIndex)}#${indexDigits(at.place ?? 0)}`,
})

/** The key of an entry that tells of missed events, with one for each reason before the events of a block. */
export function missedEntryKey(contract: ContractKey, block: number, reason: string): Key {
  const { pk, sk } = logEntryKey(contract, { block })
  return { pk, sk: `${sk}#!${reason}` }
}

/** The place in the sort key of an entry. */
export function logPlaceFromKey(sk: string): LogPlace {
  const [block, second = '', place] = sk.split('#')
  if (second.startsWith('!')) return { block: Number(block) }
  return { block: Number(block), logIndex: Number(second), place: Number(place) }
}

/** The partition of the allowlist of one connection of a contract. */
export const bindingPartition = (bindingId: BindingId): string => `BINDING#${bindingId}`

/** The description of a contract, in the partition of its connection (D37). */
export const descriptionKey = (bindingId: BindingId): Key => ({
  pk: bindingPartition(bindingId),
  sk: 'DESCRIPTION',
})

export const allowedKey = (bindingId: BindingId, tokenId: TokenId): Key => ({
  pk: bindingPartition(bindingId),
  sk: `${tokenPrefix}${sortableTokenId(tokenId)}`,
})

/** Whether an item of a binding is an allowed NFT. */
export const isAllowedKey = ({ sk }: Key): boolean => sk.startsWith(tokenPrefix)

/** A sort key before all token identifiers of a binding. */
export const beforeFirstTokenId = tokenPrefix

/** The token identifier in the sort key of an allowed NFT. */
export const tokenIdFromKey = (sk: string): TokenId =>
  fromSortableTokenId(sk.slice(tokenPrefix.length))
