import { branded } from '../../../domain/branded.ts'
import type { Address } from '../../../domain/nft/address.ts'
import type { Chain } from '../../../domain/nft/chain.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import type { LogPlace } from '../../../domain/nft-events/nft-event.ts'
import type { ProductId } from '../../../domain/product/product.ts'
import type { Key } from './key.ts'
import { productKey } from './product-partition.ts'

/** How far a followed chain is read, and who follows it (D152). */
export const followKey = (chain: Chain): Key => ({ pk: `FOLLOW#${chain}`, sk: 'POSITION' })

/** How far a chain is read for the readers of its kept contracts, and when they have last read it: few bytes that all of them share. */
export const readersKey = (chain: Chain): Key => ({ pk: followKey(chain).pk, sk: 'READERS' })

const contractPrefix = 'CONTRACT#'

/** A contract whose events are logged (D117). */
export const followedContractKey = ({ chain, address }: ContractKey): Key => ({
  pk: followKey(chain).pk,
  sk: `${contractPrefix}${address}`,
})

/** All contracts of a chain whose events are logged. */
export const followedContractsOf = (chain: Chain) => ({
  pk: followKey(chain).pk,
  prefix: contractPrefix,
})

/** The address in the sort key of such a contract. */
export const followedAddressFromKey = (sk: string): Address =>
  branded(sk.slice(contractPrefix.length))

const milestonePrefix = 'MILESTONE#'

/** Block numbers and indexes as digits, so that the order of texts is that of numbers. */
export const blockDigits = (number: number): string => `${number}`.padStart(16, '0')
export const indexDigits = (index: number): string => `${index}`.padStart(8, '0')

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
