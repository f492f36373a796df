import { describe, expect, test } from 'vitest'
import { largestTokenId, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import {
  type ChangedMetadata,
  type KeptContract,
  newKeptContract,
  type Snapshot,
} from '../../../lib/domain/holdings/kept-contract.ts'
import {
  changesOf,
  fetchedMetadata,
  isPrepared,
  isUnknown,
  type KnownContract,
} from '../../../lib/domain/holdings/known-contracts.ts'
import { ownershipOfEach } from '../../../lib/domain/holdings/ownership.ts'
import { changedAfter } from '../../../lib/domain/keeping/changed-metadata.ts'
import type { ReadContract } from '../../../lib/domain/ports/kept-contracts.ts'
import type { KeptNft } from '../../../lib/domain/ports/token-metadata.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { nft, owned } from '../../support/memory/owned-nfts.ts'
import { id } from '../keeping/said-events.ts'

const knownOf = (number: number, item?: Partial<ReadContract>): KnownContract => ({
  contract: { chain: 'POLYGON', address: addressOf(number) },
  item: item && { address: addressOf(number), events: [], readUpTo: 9, ...item },
})

const logged = { standard: 'ERC721' } as const
const inUse = { id: 'a', standard: 'ERC721', step: 1, since: 1, at: 0 } as const

test.each<[string, Partial<ReadContract> | undefined, boolean, boolean]>([
  ['without an item', undefined, true, false],
  ['about to be kept', { log: logged }, false, true],
  ['in use', { snapshot: inUse }, false, false],
  ['whose snapshot has ended', { ended: { reason: 'gap', at: 0 } }, false, true],
  ['that was let go', { ended: { reason: 'letGo', at: 0 } }, true, false],
  ['that is wanted again', { log: logged, ended: { reason: 'letGo', at: 0 } }, false, true],
])('D153: whether a contract %s is unknown, or prepared', (_, item, unknown, prepared) => {
  expect([isUnknown(knownOf(1, item)), isPrepared(knownOf(1, item))]).toEqual([unknown, prepared])
})

test('D155: the latest change of an NFT is that of the latest range that has it', () => {
  const range = (from: number, to: number, at: number) => ({
    ...{ fromTokenId: `${from}` as TokenId, toTokenId: `${to}` as TokenId, at },
  })
  const changedAt = changesOf([
    knownOf(1, { changed: [range(2, 9, 5), range(0, 100, 3), range(9, 9, 4)] }),
    knownOf(2, { changed: [] }),
  ])
  expect([1, 2, 9, 10, 101].map((id) => changedAt(nft(id)))).toEqual([3, 5, 5, 3, undefined])
  expect(changedAt(nft(2, 2))).toBeUndefined()
  expect(changedAt(nft(2, 3))).toBeUndefined()
})

describe('D155: metadata of asked NFTs', () => {
  const textOf = (length: number) => ({ metadata: { text: 'x'.repeat(length) } })

  /** Passes pages on, and returns what is kept. */
  async function keptOf(known: KnownContract[], ...pages: ReturnType<typeof owned>[][]) {
    const kept: KeptNft[] = []
    const keep = fetchedMetadata(Promise.resolve(known), {
      keepFetched: (some, takes) => void kept.push(...some.filter(takes)),
    })
    for (const page of pages) await keep(page, 77)
    return kept
  }

  const of = (tokenId: number, address: number) => owned(nft(tokenId, address), addressOf(0xa))

  test('is kept of contracts that are about to be kept, with when it was asked for and the change by then', async () => {
    const changed = [{ fromTokenId: '0' as TokenId, toTokenId: '5' as TokenId, at: 5 }]
    const known = [
      knownOf(1, { log: logged, changed }),
      knownOf(2, { snapshot: inUse }),
      knownOf(3),
    ]
    const kept = await keptOf(known, [of(1, 1), of(1, 2), of(1, 3), of(1, 4)], [of(6, 1)])
    const metadata = { metadataLink: '', metadata: { text: '{}' }, readAt: 77, retries: 0 }
    expect(kept).toEqual([
      { ...nft(1), ...metadata, changedAt: 5 },
      { ...nft(6), ...metadata, changedAt: undefined },
    ])
  })

  test('is kept up to a bound for each request', async () => {
    const known = [knownOf(1, { log: logged })]
    const [small, large] = [
      { ...of(1, 1), ...textOf(10) },
      { ...of(2, 1), ...textOf(1_999_991) },
    ]
    expect(
      await keptOf(known, [small, large], [{ ...of(3, 1), ...textOf(1_999_990) }]),
    ).toHaveLength(2)
    expect(await keptOf(known, [{ ...of(3, 1), ...textOf(2_000_001) }])).toEqual([])
  })
})

const contract = { chain: 'POLYGON', address: addressOf(0xc1) } as const
const at = Date.UTC(2026, 10, 29, 12)
const snapshot: Snapshot = { id: 's1', standard: 'ERC721', step: 7, since: 1_000, at }

/** What is said of a contract whose item has these fields. */
const ownershipWith = async (fields: Partial<KeptContract> | undefined) => {
  const item = fields && { ...newKeptContract(contract.address), ...fields }
  const ports = {
    keptChains: ['POLYGON'],
    keptContracts: 1,
    keptContract: async () => item,
  } as const
  const [ownership] = await ownershipOfEach([contract], [], ports)
  return ownership
}

const log = { standard: 'ERC721', since: { number: 900, at } } as const
const ended = (reason: NonNullable<KeptContract['ended']>['reason']) => ({ reason, at })

describe('D157: a contract is', () => {
  test.each<[string, Partial<KeptContract>]>([
    ['in use', { snapshot }],
    ['in use, after an earlier one has ended', { snapshot, ended: ended('audit') }],
    ['in use, while the next one is made', { snapshot, log }],
  ])('kept with a snapshot %s', async (_, fields) => {
    expect(await ownershipWith(fields)).toEqual({ kept: true, since: '2026-11-29T12:00:00.000Z' })
  })

  test.each<[reason: string, Partial<KeptContract> | undefined]>([
    ['not_read', undefined],
    ['not_read', { ended: ended('letGo') }],
    ['in_preparation', {}],
    ['in_preparation', { log: { standard: 'ERC721' } }],
    ['in_preparation', { log, ended: ended('gap') }],
    ['in_preparation', { prepared: snapshot, ended: ended('audit') }],
    // Its events are not read, whatever is logged later.
    ['busy', { log: { standard: 'ERC721' }, ended: ended('busy') }],
    ['events_refused', { ended: ended('refused') }],
    ['unknown_event', { ended: ended('unknownEvent') }],
    ['too_many_nfts', { ended: ended('tooManyTokens') }],
    ['owners_not_listed', { ended: ended('notListed') }],
    ['doubted', { ended: ended('audit') }],
    ['doubted', { ended: ended('secondLook') }],
    ['interrupted', { ended: ended('gap') }],
    ['interrupted', { ended: ended('reorganization') }],
    ['interrupted', { ended: ended('lacking') }],
    ['interrupted', { ended: ended('tooManyEvents') }],
  ])('not kept: %s, of %j', async (reason, fields) => {
    expect(await ownershipWith(fields)).toEqual({ kept: false, reason })
  })
})

const change = (first: bigint | number, last: bigint | number, at: number): ChangedMetadata => ({
  ...{ fromTokenId: id(first), toTokenId: id(last), at },
})

test('a later change takes the place of those whose NFTs it names', () => {
  const known = changedAfter([], [change(1, 1, 10), change(2, 4, 11), change(30, 30, 12)])
  expect(changedAfter(known, [change(1, 3, 13)])).toEqual([
    ...[change(2, 4, 11), change(30, 30, 12), change(1, 3, 13)],
  ])
  const all = change(0, largestTokenId, 20)
  expect(changedAfter(known, [all])).toEqual([all])
})

test('of more than 20, the two oldest are one, with all that they name and the later time', () => {
  const each = Array.from({ length: 21 }, (_, index) => change(index * 10, index * 10 + 1, index))
  const known = changedAfter([], each)
  expect(known).toEqual([change(0, 11, 1), ...each.slice(2)])
  // What was read before is read again, and says nothing new.
  expect(changedAfter(known, each)).toBe(known)
})

test('200 changes are 20, and none of them counts as older than it is', () => {
  const each = Array.from({ length: 200 }, (_, index) =>
    change((index * 37) % 200, (index * 37) % 200, index),
  )
  let known: readonly ChangedMetadata[] = []
  for (const one of each) known = changedAfter(known, [one])
  expect(known).toHaveLength(20)
  for (const one of each) {
    const at = known
      .filter(
        (of) =>
          BigInt(of.fromTokenId) <= BigInt(one.fromTokenId) &&
          BigInt(of.toTokenId) >= BigInt(one.toTokenId),
      )
      .map((of) => of.at)
    expect(Math.max(...at)).toBeGreaterThanOrEqual(one.at)
  }
})
