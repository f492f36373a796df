import { describe, expect, test } from 'vitest'
import type { Suspicion } from '../../../lib/domain/audits/audit-holdings.ts'
import { endSnapshot } from '../../../lib/domain/audits/end-snapshot.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { listAt } from '../../../simulation/kept-table.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { tokensOf } from '../../support/kept-model/held-state.ts'
import { auditedContract, contract, heldBy, id, now, one } from './audited-contract.ts'

const [alice, bob, carol] = [addressOf(0xa), addressOf(0xb), addressOf(0xc)]

/** Sixty wallets that hold two NFTs each. */
const many = Array.from({ length: 60 }, (_, index) => addressOf(0x1_00 + index))
const manyHeld = heldBy(
  ...many.flatMap((wallet, index): [typeof wallet, number][] => [
    [wallet, 2 * index],
    [wallet, 2 * index + 1],
  ]),
)

/** Alice holds the tokens 1 and 2, bob 3; with ERC-1155 five of each, and bob five of token 1, too. */
const ofFew = {
  ERC721: () => auditedContract('ERC721', heldBy([alice, 1], [alice, 2], [bob, 3])),
  ERC1155: () =>
    auditedContract('ERC1155', heldBy([alice, 1, 5], [alice, 2, 5], [bob, 1, 5], [bob, 3, 5])),
}
type Audited = ReturnType<typeof auditedContract>
const standards = ['ERC721', 'ERC1155'] as const

async function suspicionOf(audited: Audited): Promise<Suspicion> {
  const audit = await audited.audit([alice, bob])
  expect(audit.outcome).toBe('suspicion')
  return (audit as Extract<typeof audit, { outcome: 'suspicion' }>).suspicion
}

const ended = { reason: 'audit', at: now }
const inUse = { snapshot: { id }, version: 1 }

describe('the calls of an audit of a right snapshot', () => {
  const begin = ['position', 'kept contracts', 'owners page', '100 nfts after none']
  const look = ['position', 'kept contracts', 'kept lists', 'block']

  test('of ERC-721: the counts of 50 wallets, and the owners of 50 tokens that the indexer lists', async () => {
    const { audit, calls } = auditedContract('ERC721', manyHeld)
    // Always the first of what is left: the lists of the last owners are read after the chain has named them.
    const found = await audit([], () => 0)
    expect(found).toEqual({ outcome: 'agrees', checked: { wallets: 50, pairs: 50 } })
    expect(calls).toEqual([...begin, ...look, 'counts of 50', 'owners of 50', 'kept lists'])
  })

  test('of ERC-1155: 50 pairs from the lists, and what the indexer says of ten wallets', async () => {
    const { audit, calls } = auditedContract('ERC1155', manyHeld)
    let number = 0
    const random = () => {
      number = (number + 0.37) % 1
      return number
    }
    const { checked, outcome } = (await audit([], random)) as { outcome: string; checked: object }
    expect(outcome).toBe('agrees')
    const queries = Array.from({ length: 10 }, () => 'owned nfts')
    expect(calls).toEqual([
      ...begin,
      ...queries,
      ...look,
      expect.stringMatching(/^balances of \d+$/),
    ])
    const pairs = Number(calls.at(-1)?.split(' ').at(-1))
    expect(checked).toEqual({ wallets: 0, pairs })
    // Those that are in both samples are asked for once.
    expect(pairs).toBeGreaterThan(50)
    expect(pairs).toBeLessThan(70)
  })

  test('without a snapshot there are no others', async () => {
    const { audit, calls, kept, item } = ofFew.ERC721()
    kept.contracts.set(contract.address, { ...item(), snapshot: undefined })
    expect(await audit()).toEqual({ outcome: 'nothing' })
    expect(calls).toEqual(['position', 'kept contracts'])
  })
})

describe('what an audit looks at', () => {
  test('half of the wallets were read lately, none is the zero address', async () => {
    const { audit, ports } = auditedContract('ERC721', manyHeld)
    const recent = Array.from({ length: 40 }, (_, index) => addressOf(0x9_00 + index))
    const counted: string[] = []
    const { countsOf } = ports.chainState
    ports.chainState.countsOf = (query) => {
      counted.push(...query.wallets)
      return countsOf(query)
    }
    // Always the first of what is left.
    await audit([addressOf(0), ...recent, ...recent], () => 0)
    expect(new Set(counted).size).toBe(50)
    expect(counted).not.toContain(addressOf(0))
    const count = counted.filter((wallet) => recent.some((each) => each === wallet)).length
    expect(count).toBe(24)
  })

  test('wallets of events that have not settled are looked at, too', async () => {
    const { audit, addBlock, calls, indexer } = ofFew.ERC721()
    indexer.state = new Map()
    addBlock(1_010, new Map(), [{ from: alice, to: carol, moved: [one(1)] }])
    await audit()
    expect(calls).toContain('counts of 2')
  })

  test('the next audit goes on where one has ended in the list of NFTs', async () => {
    const { audit, calls, indexer } = ofFew.ERC721()
    indexer.pageKey = 'p2'
    expect(await audit()).toMatchObject({ nftsPageKey: 'p2' })
    indexer.pageKey = undefined
    expect(await audit([], () => 0, 'p2')).toMatchObject({ nftsPageKey: undefined })
    expect(calls).toContain('100 nfts after p2')
  })

  test('a page key that is refused lets the list of NFTs begin again', async () => {
    const { audit, calls, ports } = ofFew.ERC721()
    const { contractNfts } = ports.indexer
    ports.indexer.contractNfts = async (query) => {
      if (query.pageKey !== undefined) throw new IndexerUnavailable('HTTP 400')
      return await contractNfts(query)
    }
    expect(await audit([], () => 0, 'expired')).toMatchObject({ outcome: 'agrees' })
    expect(calls).toContain('100 nfts after none')
    ports.indexer.contractNfts = () => Promise.reject(new IndexerUnavailable('HTTP 503'))
    await expect(audit([], () => 0, 'expired')).rejects.toThrow(IndexerUnavailable)
  })

  test('a wallet that holds more than a list has is not compared', async () => {
    const { audit, kept, indexer } = ofFew.ERC1155()
    kept.lists.set(listAt({ ...contract, id }, alice), {
      ...{ settledUpTo: 1_000, tokens: new Map(), isTooLong: true },
    })
    indexer.state = heldBy([alice, 1], [bob, 1])
    expect(await audit()).toEqual({ outcome: 'agrees', checked: { wallets: 0, pairs: 2 } })
  })
})

const wrong: [string, (typeof standards)[number], (audited: Audited) => void][] = [
  ['a lost pair', 'ERC721', ({ setToken }) => setToken(alice, 2, 0)],
  ['a lost pair', 'ERC1155', ({ setToken }) => setToken(alice, 2, 0)],
  ['a doubled token', 'ERC721', ({ setToken }) => setToken(bob, 2, 1)],
  ['a pair that nobody holds', 'ERC1155', ({ setToken }) => setToken(bob, 2, 1)],
  ['a token that does not exist', 'ERC721', ({ setToken }) => setToken(bob, 9, 1)],
  [
    'tokens that are exchanged, so that each wallet has its number of them',
    'ERC721',
    ({ setList }) => {
      setList(alice, tokensOf(heldBy([alice, 1], [alice, 3]), alice))
      setList(bob, tokensOf(heldBy([bob, 2]), bob))
    },
  ],
  [
    'a doubled token in place of one that the indexer does not list',
    'ERC721',
    ({ setList, indexer }) => {
      setList(bob, tokensOf(heldBy([bob, 2]), bob))
      indexer.state = heldBy([alice, 1], [alice, 2])
    },
  ],
  ['a wrong balance', 'ERC1155', ({ setToken }) => setToken(alice, 1, 4)],
  ['an empty snapshot of a contract with NFTs', 'ERC721', ({ kept }) => kept.lists.clear()],
  ['an empty snapshot of a contract with NFTs', 'ERC1155', ({ kept }) => kept.lists.clear()],
]

describe('a difference that two looks find ends the snapshot', () => {
  test.each(wrong)('%s of %s', async (_, standard, spoil) => {
    const audited = ofFew[standard]()
    spoil(audited)
    const suspicion = await suspicionOf(audited)
    expect(audited.item()).toMatchObject(inUse)
    await audited.settle(1_005)
    const stored = JSON.parse(JSON.stringify(suspicion))
    const { id: _id, block: _block, ...difference } = suspicion
    const confirmed = await audited.confirm(stored)
    expect(confirmed).toEqual({ outcome: 'difference', difference, isRepeated: false })
    expect(audited.item()).toMatchObject({ snapshot: undefined, ended })
  })

  test('the second time, it says so', async () => {
    const audited = ofFew.ERC721()
    const { snapshot } = audited.item()
    const begin = () =>
      audited.kept.contracts.set(contract.address, { ...audited.item(), snapshot })
    const end = () => endSnapshot({ ...contract, id }, 'audit', audited.ports)
    expect(await end()).toEqual({ isRepeated: false })
    begin()
    expect(await end()).toEqual({ isRepeated: true })
    begin()
    const another = (snapshotId: string) =>
      endSnapshot({ ...contract, id: snapshotId }, 'secondLook', audited.ports)
    expect(await another(id)).toEqual({ isRepeated: true })
    // Who repeats it is told the same, and nobody else.
    expect(await another(id)).toEqual({ isRepeated: true })
    expect([await end(), await another('other')]).toEqual([undefined, undefined])
  })

  test('an empty snapshot is no proof if nobody is known who holds what the indexer lists', async () => {
    const { audit, kept, ports, item } = ofFew.ERC1155()
    kept.lists.clear()
    ports.tokenOwners.page = async () => undefined
    expect(await audit([carol])).toMatchObject({ outcome: 'unproven' })
    expect(item()).toMatchObject(inUse)
    // A recent wallet that holds what the indexer lists proves that the lists are wrong.
    ports.indexer.ownedNfts = async () => ({ nfts: [] })
    expect(await audit([alice])).toMatchObject({ outcome: 'suspicion' })
  })

  test('an empty snapshot of a contract without NFTs is right', async () => {
    for (const standard of standards) {
      const { audit } = auditedContract(standard, new Map())
      expect(await audit([alice])).toMatchObject({ outcome: 'agrees' })
    }
  })
})

describe.each(standards)('nothing ends of %s', (standard) => {
  test('by an indexer that lies', async () => {
    const { audit, indexer, item } = ofFew[standard]()
    for (const state of [heldBy([alice, 3], [bob, 1], [carol, 2], [carol, 9]), new Map()]) {
      indexer.state = state
      expect(await audit([alice, bob])).toMatchObject({ outcome: 'agrees' })
    }
    expect(item()).toMatchObject(inUse)
  })

  test('by a node that is behind', async () => {
    const audited = ofFew[standard]()
    audited.setToken(alice, 1, 0)
    const suspicion = await suspicionOf(audited)
    await audited.settle(1_005)
    audited.node.head = 1_004
    await expect(audited.confirm(suspicion)).rejects.toThrow(IndexerUnavailable)
    await expect(audited.audit()).rejects.toThrow(IndexerUnavailable)
    expect(audited.item()).toMatchObject({ snapshot: { id } })
  })

  test('by a node that answers less than was asked', async () => {
    const { audit, ports, item } = ofFew[standard]()
    ports.chainState = {
      ownersOf: async () => [null],
      countsOf: async () => [1n],
      balancesOf: async () => [1n],
    }
    await expect(audit()).rejects.toThrow(IndexerUnavailable)
    expect(item()).toMatchObject(inUse)
  })

  test('by a node that says something else once', async () => {
    const audited = ofFew[standard]()
    audited.node.says = heldBy([carol, 1], [alice, 2], [bob, 3])
    const suspicion = await suspicionOf(audited)
    audited.node.says = undefined
    await audited.settle(1_005)
    expect(await audited.confirm(suspicion)).toEqual({ outcome: 'agrees' })
    expect(audited.item()).toMatchObject({ snapshot: { id } })
  })

  test('by a suspicion that is looked at again without a later block', async () => {
    const audited = ofFew[standard]()
    audited.setToken(alice, 1, 0)
    const suspicion = await suspicionOf(audited)
    audited.calls.length = 0
    expect(await audited.confirm(suspicion)).toEqual({ outcome: 'suspicion', suspicion })
    expect(audited.calls).toEqual(['position', 'kept contracts'])
  })
})
