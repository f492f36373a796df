import { InvalidInput, ServiceUnavailable } from '../failures.ts'
import { type ContractKey, type ContractWithRanges, compareContracts } from '../nft/nft.ts'
import type { AllowlistPorts } from '../ports/allowlist.ts'
import type { ProductId } from '../product/product.ts'
import { type Actor, eventRanges } from '../product/product-event.ts'
import { recordChange } from '../product/record-change.ts'
import { expectFewRanges, maxContractsPerProduct, maxRangeAttempts } from './allowlist-limits.ts'
import {
  type AllowlistEntry,
  entryOf,
  splitTokenElements,
  type TokenElement,
} from './token-element.ts'
import type { TokenId } from './token-id.ts'
import { rangeWith, sameTokenIds, type TokenRanges, unionOf } from './token-ranges.ts'

interface Allowlisting {
  contract: ContractKey
  description?: string | undefined
  elements: readonly TokenElement[]
}

interface Additions {
  contract: ContractKey
  description: string | undefined
  ranges: TokenRanges
  /** The single identifiers that are in none of the ranges. */
  tokenIds: readonly TokenId[]
}

/**
 * Connects a contract to a product and adds token identifiers and ranges to its allowlist (4.3, D17, D57). Safe
 * to repeat and to run concurrently: the list is the union. After a crash between two writes the list has
 * a part of the identifiers, and a repeat adds the rest. Without a description, a connected contract
 * keeps its description (D37). The change is recorded (D49). Throws InvalidInput if the product has the
 * maximum number of contracts, or if the description of a contract that is not connected is absent, and
 * TooManyRanges before anything has changed.
 */
export async function allowlist(
  { productId, keyId }: Actor,
  { contract, description, elements }: Allowlisting,
  ports: AllowlistPorts,
): Promise<AllowlistEntry[]> {
  const { contracts, events, webhookSignals } = ports
  const connected = await contracts.get(productId, contract)
  if (!connected && description === undefined) throw missingDescription()
  const additions = { contract, description, ...additionsOf(elements) }
  const { chain, address: contractAddress } = contract
  const hasNewRanges =
    !connected || !sameTokenIds(rangesAfter(connected, additions), connected.ranges)
  await recordChange(
    productId,
    {
      action: 'allowlistNfts',
      keyId,
      chain,
      contractAddress,
      count: elements.length,
      ranges: eventRanges(additions.ranges),
    },
    {
      concurrent: hasNewRanges ? () => expectRoom(productId, additions, ports) : undefined,
      make: async () => {
        const target = await withRanges(productId, additions, connected, ports)
        // Not after the rest, which can fail: a repeat finds the contract connected.
        const signalled = connected ? undefined : webhookSignals?.connected(productId)
        await Promise.all([signalled, addSingles(target, additions, ports)])
      },
    },
    events,
  )
  return elements.map((element) => entryOf(contract, element))
}

function additionsOf(elements: readonly TokenElement[]) {
  const { tokenIds, ranges: given } = splitTokenElements(elements)
  const ranges = unionOf([], given)
  return { ranges, tokenIds: outside(ranges, tokenIds) }
}

const outside = (ranges: TokenRanges, tokenIds: readonly TokenId[]): readonly TokenId[] =>
  ranges.length === 0 ? tokenIds : tokenIds.filter((tokenId) => !rangeWith(ranges, BigInt(tokenId)))

const rangesAfter = (contract: ContractWithRanges | undefined, { ranges }: Additions) =>
  unionOf(contract?.ranges ?? [], ranges)

/**
 * Adds the ranges to the connection of a contract, or connects it. Returns the connection, with at least the added
 * ranges.
 */
async function withRanges(
  productId: ProductId,
  additions: Additions,
  connected: ContractWithRanges | undefined,
  ports: AllowlistPorts,
): Promise<ContractWithRanges> {
  const { contracts } = ports
  let current = connected
  for (let attempt = 0; attempt < maxRangeAttempts; attempt += 1) {
    if (attempt > 0) {
      current = await contracts.get(productId, additions.contract)
      if (!current && additions.description === undefined) throw missingDescription()
      await expectRoom(productId, additions, ports)
    }
    const ranges = rangesAfter(current, additions)
    if (current && sameTokenIds(ranges, current.ranges)) return current
    const saved = current
      ? await contracts.replaceRanges(productId, current, ranges)
      : await contracts.connect(productId, additions.contract, ranges)
    if (saved) return saved
  }
  throw new ServiceUnavailable('a contract was changed over and over')
}

async function addSingles(
  target: ContractWithRanges,
  { description, tokenIds }: Additions,
  { contracts, allowedTokenIds }: AllowlistPorts,
): Promise<void> {
  await afterBoth(
    allowedTokenIds.add(target.bindingId, outside(target.ranges, tokenIds)),
    description === undefined ? undefined : contracts.describe(target, description),
  )
}

async function expectRoom(
  productId: ProductId,
  additions: Additions,
  { contracts, limits }: AllowlistPorts,
): Promise<void> {
  const all = await contracts.list(productId)
  const current = all.find((contract) => compareContracts(contract, additions.contract) === 0)
  if (!current && all.length >= maxContractsPerProduct) throw tooManyContracts()
  expectFewRanges(rangesAfter(current, additions), current, all, limits)
}

const missingDescription = () =>
  new InvalidInput({ in: 'body', path: 'contractDescription' }, 'is required')

const tooManyContracts = () =>
  new InvalidInput(
    { in: 'body', path: 'contractAddress' },
    `is one more than the ${maxContractsPerProduct} contracts a product may have connected`,
  )

/** Waits for both, so that nothing is written after a failure is known. Throws the first failure. */
async function afterBoth(
  first: Promise<unknown> | undefined,
  second: Promise<unknown> | undefined,
): Promise<void> {
  await Promise.allSettled([first, second])
  await first
  await second
}
