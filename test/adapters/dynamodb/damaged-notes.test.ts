import { describe, expect, test } from 'vitest'
import {
  followedContractKey,
  followKey,
} from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { contract, other } from '../../support/follower/followed.ts'
import { memoryChain } from '../../support/follower/memory-chain.ts'
import {
  beginAtStart,
  followedTable,
  position,
  sleep,
  start,
} from '../../support/follower/stored-notes.ts'
import { emitTransfers } from '../../support/follower/watched.ts'

await startTestAws()
const table = openTable()
const { follow, get, notes, put, watch } = followedTable(table)
const chain = 'POLYGON'

beginAtStart(table)

const { head } = position()

/** Positions that are damaged, or of another form. */
const damagedPositions: [string, object][] = [
  ['nothing', {}],
  ['no last block', { ...position(), head: undefined }],
  ['a text as its last block', { ...position(), head: 'x' }],
  ['a text as the time of its last block', { ...position(), head: { ...head, at: '1' } }],
  ['a number beyond 2^53', { ...position(), head: { ...head, at: 2n ** 70n } }],
  ['a text as the time that is confirmed', { ...position(), confirmedUpTo: 'x' }],
  ['a step that is a text', { ...position(), step: '7' }],
  ['no step', { ...position(), step: undefined }],
  ['no known blocks', { ...position(), blocks: undefined }],
  ['an empty list of blocks', { ...position(), blocks: [] }],
  ['a text as the time of a block', { ...position(), blocks: [{ ...head, readAt: '1' }] }],
]

/** Attributes that make the item of a contract a damaged one. */
const damagedContracts: [string, object][] = [
  ['a text as the end of its watch', { watchedUntil: 'x' }],
  ['a time beyond 2^53 as the end of its watch', { watchedUntil: 2n ** 70n }],
  ['a text as the end of its suspension', { suspendedUntil: 'x' }],
  ['a text as whether it is logged', { isLogged: 'x' }],
]

describe('D152: what is damaged in the table', () => {
  test.each(damagedPositions)(
    'the chain is followed anew after a position with %s',
    async (_, damaged) => {
      await put(followKey(chain), damaged)
      expect(await notes.position(chain)).toBeUndefined()
      await watch(contract, { isLogged: true })
      expect(await follow(memoryChain(Date.now))).toMatchObject({ steps: 1, failures: 0 })
      const moved = await notes.position(chain)
      expect(moved).toMatchObject({ step: 1 })
      expect(moved?.confirmedUpTo).toBeGreaterThan(start - 120_000)
    },
  )

  test.each([
    ...damagedContracts,
    ['a key that is no address', { sk: 'CONTRACT#0x12' }],
    ['a key with an address in upper case', { sk: `CONTRACT#0x${'AB'.repeat(20)}` }],
  ])('a contract with %s is not asked for, and the others are followed', async (_, damage) => {
    await watch(other)
    await watch(contract, damage)
    expect((await notes.contracts(chain)).map(({ address }) => address)).toEqual([other])
    const source = memoryChain(Date.now)
    emitTransfers(source, other)
    await sleep(4_000)
    expect(await follow(source)).toMatchObject({ steps: 1, failures: 0 })
    expect(source.asked).toMatchObject([{ contracts: 1 }])
    expect((await notes.position(chain))?.log?.seen).toHaveProperty(other)
  })

  test('what another release has added is left as it is', async () => {
    await put(followKey(chain), { ...position({ step: 7 }), added: 'x' })
    await watch(contract, { isLogged: true, added: { to: 'x' } })
    expect(await notes.position(chain)).toEqual(position())
    await notes.lease(chain, 'one', 40_000)
    expect(await notes.moveTo(chain, 'one', position({ step: 8 }), position())).toBe(true)
    expect(await get(followKey(chain))).toMatchObject({ added: 'x', step: 8 })
    const [from] = await notes.contracts(chain)
    if (!from) throw new Error('the contract is not there')
    await notes.noteContracts(chain, [{ from }])
    const item = await get(followedContractKey({ chain, address: contract }))
    expect(item).toMatchObject({ added: { to: 'x' } })
    expect(item).not.toHaveProperty('isLogged')
  })
})
