import { describe, expect, test } from 'vitest'
import {
  type KeptContract,
  newKeptContract,
  type Snapshot,
} from '../../../lib/domain/holdings/kept-contract.ts'
import { ownershipOfEach } from '../../../lib/domain/holdings/ownership.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'

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
