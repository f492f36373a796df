import { describe, expect, test } from 'vitest'
import { dynamoKeptReadings } from '../../../lib/adapters/dynamodb/kept-readings.ts'
import {
  followedContractKey,
  followKey,
} from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import type { Key } from '../../../lib/adapters/dynamodb/keys/key.ts'
import { movementKey } from '../../../lib/adapters/dynamodb/keys/wallet-partition.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { momentOf } from '../../../lib/domain/reading/freshness.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { alice, bob, contract, other } from '../../support/follower/followed.ts'
import { memoryChain } from '../../support/follower/memory-chain.ts'
import {
  beginAtStart,
  day,
  followedTable,
  position,
  sleep,
  start,
} from '../../support/follower/stored-notes.ts'
import { productId } from '../../support/memory/owned-nfts.ts'

await startTestAws()
const table = openTable()
const { ask, follow, get, notes, put } = followedTable(table)
const chain = 'POLYGON'

beginAtStart(table)

const { head, confirmedUpTo, overlap } = position()

/** Positions that are damaged, or of another release. */
const damagedPositions: [string, object][] = [
  ['nothing', {}],
  ['no last block', { ...position(), head: undefined }],
  ['a text as its last block', { ...position(), head: 'x' }],
  ['a text as the time of its last block', { ...position(), head: { ...head, at: '1' } }],
  ['a number beyond 2^53', { ...position(), head: { ...head, at: 2n ** 70n } }],
  ['a text as the time that is confirmed', { ...position(), confirmedUpTo: 'x' }],
  ['no moment up to which nothing is used', { ...position(), distrustedBefore: undefined }],
  ['null as that moment', { ...position(), distrustedBefore: null }],
  ['a step that is a text', { ...position(), step: '7' }],
]

/** Positions with damage that only the follower notices. */
const damagedOverlaps: [string, object][] = [
  ['no overlap', { ...position(), overlap: undefined }],
  ['an overlap without blocks', { ...position(), overlap: { blocks: [], events: {} } }],
  [
    'a text as the time of a block',
    { ...position(), overlap: { ...overlap, blocks: [{ ...head, readAt: '1' }] } },
  ],
  ['events that are no list', { ...position(), overlap: { ...overlap, events: { x: 'x' } } }],
  ['no step', { ...position(), step: undefined }],
]

/** Attributes that make the item of a contract a damaged one. */
const damagedContracts: [string, object][] = [
  ['a text as its lease', { leasedUntil: 'x' }],
  ['a text as its beginning', { since: 'x' }],
  ['a beginning without a time', { since: { number: 1 } }],
  ['a beginning beyond 2^53', { since: { number: 1, at: 2n ** 70n } }],
  ['a text as the end of its suspension', { suspendedUntil: 'x' }],
  ['a text as the time of its metadata', { metadataChangedAt: 'x' }],
]

describe('D66: what is damaged in the table', () => {
  test.each([...damagedPositions, ...damagedOverlaps])(
    'the chain is followed anew after a position with %s',
    async (_, damaged) => {
      await put(followKey(chain), damaged)
      expect(await notes.position(chain)).toBeUndefined()
      await ask(contract, { since: { number: 1, at: 1 } })
      expect(await follow(memoryChain(Date.now))).toMatchObject({ steps: 1, failures: 0 })
      const moved = await notes.position(chain)
      expect(moved).toMatchObject({ distrustedBefore: start, step: 1 })
      const [followed] = await notes.contracts(chain)
      expect(followed?.since?.at).toBeGreaterThan(start - 120_000)
    },
  )

  test.each([
    ...damagedContracts,
    ['a key that is no address', { sk: 'CONTRACT#0x12' }],
    ['a key with an address in upper case', { sk: `CONTRACT#0x${'AB'.repeat(20)}` }],
  ])('a contract with %s is not asked for, and the others are followed', async (_, damage) => {
    await ask(other)
    await put(
      { ...followedContractKey({ chain, address: contract }) },
      {
        ...{ leasedUntil: start + day, since: { number: 1, at: 1 } },
        ...damage,
      },
    )
    expect((await notes.contracts(chain)).map(({ address }) => address)).toEqual([other])
    const source = memoryChain(Date.now)
    source.emit({ contract: other, wallets: [alice] })
    await sleep(4_000)
    expect(await follow(source)).toMatchObject({ steps: 1, failures: 0 })
    expect(source.asked).toMatchObject([{ contracts: 1 }])
    expect(await get(movementKey(alice, { chain, address: other }))).toBeDefined()
  })

  test('what another release has added is left as it is', async () => {
    await put(followKey(chain), { ...position({ step: 7 }), added: 'x' })
    await ask(contract, { since: { number: 1, at: 1 }, added: { to: 'x' } })
    expect(await notes.position(chain)).toEqual(position())
    await notes.lease(chain, 'one', 40_000)
    expect(await notes.moveTo(chain, 'one', position({ step: 8 }), position())).toBe(true)
    expect(await get(followKey(chain))).toMatchObject({ added: 'x', step: 8 })
    const [from] = await notes.contracts(chain)
    if (!from) throw new Error('the contract is not there')
    await notes.noteContracts(chain, [{ from }])
    const item = await get(followedContractKey({ chain, address: contract }))
    expect(item).toMatchObject({ added: { to: 'x' } })
    expect(item).not.toHaveProperty('since')
  })
})

describe('D65: a reading may be used only if nothing is in doubt', () => {
  const readings = dynamoKeptReadings(table, { rememberSeconds: 0, followedChains: [chain] })
  const scope = { productId, chain, owner: alice, contracts: [contract, other] } as const
  const reading = { readAt: start - 600_000, block: { number: 1, at: start - 602_000 } }
  const remembering = { rememberSeconds: 0, rememberFollowedSeconds: 86_400, settlingSeconds: 30 }
  const since = { number: 1, at: start - day }

  /** The moment of which the kept reading of a wallet speaks, from the items in the table. */
  async function moment() {
    const { evidence } = await readings.find(scope, await readings.positions())
    return momentOf(reading, evidence, remembering)
  }

  /** Notes that follow both contracts since yesterday, and a movement of another wallet. */
  async function noted(): Promise<void> {
    await put(followKey(chain), position())
    for (const address of scope.contracts) await ask(address, { since })
    await put(movementKey(bob, { chain, address: contract }), { block: 99, at: start - 3_000 })
  }

  test('with every note in its place, it speaks of the last block that is confirmed', async () => {
    await noted()
    expect(await moment()).toBe(confirmedUpTo)
    await put(movementKey(alice, { chain, address: contract }), { block: 1, at: start - day })
    expect(await moment()).toBe(confirmedUpTo)
  })

  test.each(damagedOverlaps)(
    'damage that concerns only the follower has no effect: %s',
    async (_, damage) => {
      await noted()
      await put(followKey(chain), { ...position(), ...damage })
      expect(await moment()).toBe(confirmedUpTo)
    },
  )

  const contractItem = followedContractKey({ chain, address: contract })
  const movement = movementKey(alice, { chain, address: other })
  const damages: [string, Key, object][] = [
    [
      'a position of an earlier release',
      followKey(chain),
      { ...position(), confirmedUpTo: undefined },
    ],
    ...damagedPositions.map(([what, damaged]): [string, Key, object] => [
      `a position with ${what}`,
      followKey(chain),
      damaged,
    ]),
    ...damagedContracts.map(([what, damage]): [string, Key, object] => [
      `a contract with ${what}`,
      contractItem,
      { leasedUntil: start + day, since, ...damage },
    ]),
    ['a contract without anything', contractItem, {}],
    ['a movement without anything', movement, {}],
    ['a movement with a text as its time', movement, { block: 1, at: 'x' }],
    ['a movement with a time beyond 2^53', movement, { block: 1, at: 2n ** 70n }],
    ['a movement without a block', movement, { at: start - day }],
  ]
  test.each(damages)('%s', async (_, key, damaged) => {
    await noted()
    await put(key, damaged)
    expect(await moment()).toBeUndefined()
  })
})
