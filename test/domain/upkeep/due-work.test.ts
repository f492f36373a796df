import { describe, expect, test } from 'vitest'
import { type KeptContract, newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import {
  type CareWork,
  type ContractCare,
  noCare,
} from '../../../lib/domain/ports/contract-care.ts'
import { dueWork, type KeptChain, withMoment } from '../../../lib/domain/upkeep/due-work.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'

const now = 1_800_000_000_000
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const contract = { chain: 'POLYGON', address: addressOf(1) } as const
const snapshot = { id: '7', standard: 'ERC721', step: 1, since: 5, at: now - 1 } as const
const ended = (reason: 'gap' | 'unknownEvent' | 'busy' | 'audit' | 'letGo', ago: number) => ({
  ended: { reason, at: now - ago },
})

function dueOf(
  item: Partial<KeptContract>,
  care: Partial<ContractCare> = {},
  others: Partial<KeptChain> = {},
) {
  const chain: KeptChain = {
    ...{ chain: contract.chain, lists: [] },
    items: [{ ...newKeptContract(contract.address), version: 1, ...item }],
    care: {
      ...{ looks: 0, metadataFrom: now + 1 },
      contracts: new Map([[contract.address, { ...noCare, ...care }]]),
    },
    ...others,
  }
  return dueWork(chain, now)
}

/** The moments this many hours ago. */
const ago = (...hours: number[]) => hours.map((each) => now - each * hour)

const isDue = (work: CareWork, ...args: Parameters<typeof dueOf>) =>
  dueOf(...args).some((due) => due.work === work)

describe('D153: a snapshot is due', () => {
  test.each<[string, boolean, Partial<KeptContract>, Partial<ContractCare>]>([
    ['of a contract without one', true, {}, {}],
    ['while its attempt goes on', true, { log: { standard: 'ERC721' } }, {}],
    ['not while one is in use', false, { snapshot }, {}],
    ['when that is 30 days old', true, { snapshot: { ...snapshot, at: now - 30 * day } }, {}],
    ['not before', false, { snapshot: { ...snapshot, at: now - 30 * day + 1 } }, {}],
    ['not while one is taken over', false, { prepared: snapshot }, {}],
    ['after a gap, at once', true, ended('gap', 0), {}],
    ['not for a month after an unknown event', false, ended('unknownEvent', 30 * day - 1), {}],
    ['after this month', true, ended('unknownEvent', 30 * day), {}],
    ['not for an hour of too many events', false, ended('busy', hour - 1), {}],
    ['after this hour', true, ended('busy', hour), {}],
    ['after an audit has found a difference', true, ended('audit', 0), {}],
    ['not for a week after another', false, ended('audit', 1), { doubtedAt: now - 7 * day + 1 }],
    ['after this week', true, ended('audit', 1), { doubtedAt: now - 7 * day }],
    ['not of a contract that is let go', false, ended('letGo', hour), {}],
    ['not twice in a day', false, {}, { handedOver: [now - day + 1] }],
    ['a day later', true, {}, { handedOver: [now - day] }],
    ['not more than three times in a week', false, {}, { handedOver: ago(144, 96, 48) }],
    ['three times in it', true, {}, { handedOver: ago(168, 96, 48) }],
    ['not with a fourth attempt in a day', false, {}, { attempts: ago(3, 2, 1) }],
    ['with the third one that is begun', true, {}, { attempts: ago(3, 2, 1), isBegun: true }],
    ['with an attempt a day after the first', true, {}, { attempts: ago(24, 2, 1) }],
    ['not while its item is at work or waits', false, {}, { snapshotFrom: now + 1 }],
    ['when that counts as lost', true, {}, { snapshotFrom: now }],
  ])('%s', (_, expected, item, care) => {
    expect(isDue('snapshot', item, care)).toBe(expected)
  })

  test('in an item whose turn is the moment at which it counts as lost', () => {
    const until = now + 10 * minute
    expect(dueOf({}, { snapshotFrom: now - 5 })).toEqual([
      {
        ...{ work: 'snapshot', of: contract, before: now - 5, until },
        item: { kind: 'snapshot', contract, turn: until },
      },
    ])
  })
})

test.each<[string, boolean, Partial<KeptContract>, Partial<ContractCare>]>([
  ['when a snapshot has begun to be used', true, { snapshot }, {}],
  ['not without one', false, {}, {}],
  ['not within a day', false, { snapshot }, { audited: { id: '7', at: now - day + 1 } }],
  ['daily', true, { snapshot }, { audited: { id: '7', at: now - day } }],
  ['for another snapshot at once', true, { snapshot }, { audited: { id: '6', at: now } }],
  ['not while its item is at work', false, { snapshot }, { auditFrom: now + 1 }],
])('D154: an audit is due %s', (_, expected, item, care) => {
  expect(isDue('audit', item, care)).toBe(expected)
})

describe('D153: lists are deleted', () => {
  const lists = ['1', '2'].map((id) => ({ ...contract, id }))

  test('of one snapshot of a contract after the other, also if the contract is not kept any more', () => {
    const due = dueOf({}, {}, { lists, items: [] })
    expect(due).toEqual([
      {
        ...{ work: 'lists', of: contract, before: 0, until: now + minute },
        item: { kind: 'deleteLists', snapshot: lists[0] },
      },
    ])
  })

  test('not while that is at work', () => {
    expect(isDue('lists', {}, { listsFrom: now + 1 }, { lists })).toBe(false)
  })
})

test('D155: due metadata of a chain is asked for every minute, if a contract is kept', () => {
  const care = { contracts: new Map(), looks: 0, metadataFrom: now }
  const item = { kind: 'dueMetadata', chain: 'POLYGON' }
  const due = { work: 'metadata', of: { chain: 'POLYGON' }, before: now, until: now + minute, item }
  expect(dueOf(ended('letGo', 0), {}, { care })).toEqual([due])
  expect(dueOf({}, {}, { care, items: [] })).toEqual([])
  expect(isDue('metadata', {})).toBe(false)
})

test('moments older than a week are forgotten, and each is there once', () => {
  expect(withMoment([now - 7 * day, now - 7 * day + 1, now - 5], now - 5, now)).toEqual([
    now - 7 * day + 1,
    now - 5,
  ])
})
