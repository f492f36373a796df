import { describe, expect, test } from 'vitest'
import type { Suspicion } from '../../../lib/domain/audits/audit-holdings.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { tokensOf } from '../../support/kept-model/held-state.ts'
import { auditedContract, contract, heldBy, id, now, one, token } from './audited-contract.ts'

const [alice, bob, carol] = [addressOf(0xa), addressOf(0xb), addressOf(0xc)]

const ofFew = () => auditedContract('ERC721', heldBy([alice, 1], [alice, 2], [bob, 3]))

/** Alice sends token 1 to carol. */
const moved = { from: alice, to: carol, moved: [one(1)] }
const afterMove = heldBy([carol, 1], [alice, 2], [bob, 3])

const another = { id: '8', standard: 'ERC721', step: 3, since: 5, at: 0 } as const

/** The suspicion of a list that lacks token 1 of alice. */
const suspicion: Suspicion = {
  ...{ id, block: 1_000, wallets: [alice] },
  pairs: [{ wallet: alice, tokenId: token(1) }],
}

describe('transfers while an audit looks', () => {
  test('a list that lacks what the item has is read with it, as readers do', async () => {
    const { audit, addBlock, settle, setList } = ofFew()
    addBlock(1_010, afterMove, [moved])
    await settle(1_010)
    setList(alice, tokensOf(heldBy([alice, 1], [alice, 2]), alice))
    setList(carol, new Map())
    expect(await audit()).toMatchObject({ outcome: 'agrees', checked: { wallets: 3, pairs: 3 } })
  })

  test('lists that the follower brings to a later block meanwhile are not compared', async () => {
    const { audit, addBlock, settle, hooks, calls } = ofFew()
    addBlock(1_010, afterMove, [moved])
    hooks.before = async (call) => {
      if (call === 'kept lists') await settle(1_010, { isCrashed: true })
    }
    expect(await audit()).toMatchObject({ outcome: 'agrees', checked: { wallets: 1, pairs: 1 } })
    expect(calls.filter((call) => call === 'kept lists')).toHaveLength(1)
  })

  test('a transfer between the two looks ends nothing', async () => {
    const { addBlock, settle, confirm, node, audit, item } = ofFew()
    node.says = heldBy([carol, 1], [alice, 2], [bob, 3])
    const found = await audit()
    node.says = undefined
    addBlock(1_010, heldBy([bob, 1], [alice, 2], [bob, 3]), [{ ...moved, to: bob }])
    await settle(1_010)
    const { suspicion: of } = found as Extract<typeof found, { outcome: 'suspicion' }>
    expect(await confirm(of)).toEqual({ outcome: 'agrees' })
    expect(item()).toMatchObject({ snapshot: { id } })
  })

  test.each([
    ['wallets', { pairs: [] }],
    ['pairs', { wallets: [] }],
  ])('what cannot be compared is still suspected, also if it is %s alone', async (_, alone) => {
    const suspected = { ...suspicion, ...alone }
    const { addBlock, settle, confirm, hooks, setToken } = ofFew()
    setToken(alice, 1, 0)
    await settle(1_005)
    addBlock(1_010, heldBy([alice, 1], [carol, 2], [bob, 3]), [{ ...moved, moved: [one(2)] }])
    hooks.before = async (call) => {
      if (call === 'kept lists') await settle(1_010, { isCrashed: true })
    }
    const again = { ...suspected, block: 1_005 }
    expect(await confirm(suspected)).toEqual({ outcome: 'suspicion', suspicion: again })
    hooks.before = () => undefined
    await settle(1_010)
    expect(await confirm(again)).toMatchObject({ outcome: 'difference' })
  })
})

/** A snapshot whose difference is confirmed, while something happens before each write of the item. */
async function confirmedWhile(happens: (audited: ReturnType<typeof ofFew>) => void) {
  const audited = ofFew()
  audited.setToken(alice, 1, 0)
  await audited.settle(1_005)
  audited.hooks.before = (call) => {
    if (call === 'kept contract') happens(audited)
  }
  return { audited, confirmed: audited.confirm(suspicion) }
}

describe('the follower writes the item at the same time', () => {
  test('the snapshot ends with what the follower has written', async () => {
    let count = 0
    const { audited, confirmed } = await confirmedWhile(({ addBlock }) => {
      count += 1
      if (count <= 4) addBlock(1_010 + count, afterMove, [{ ...moved, to: bob }])
    })
    expect(await confirmed).toMatchObject({ outcome: 'difference' })
    expect(count).toBe(5)
    const { snapshot, ended, events } = audited.item()
    expect(snapshot).toBeUndefined()
    expect(ended).toEqual({ reason: 'audit', at: now, id, isRepeated: false })
    expect(events.map(({ block }) => block)).toEqual([1_011, 1_012, 1_013, 1_014])
  })

  test('if it does so with each try, another attempt ends the snapshot', async () => {
    let isFast = true
    const { audited, confirmed } = await confirmedWhile(({ addBlock }) => {
      if (isFast) addBlock(1_010, afterMove, [])
    })
    await expect(confirmed).rejects.toThrow(ServiceUnavailable)
    expect(audited.calls.filter((call) => call === 'kept contract')).toHaveLength(5)
    expect(audited.item()).toMatchObject({ snapshot: { id } })
    isFast = false
    expect(await audited.confirm(suspicion)).toMatchObject({ outcome: 'difference' })
  })

  test.each([
    ['another snapshot is in use', another],
    ['it has ended', undefined],
  ])('nothing is written if %s by then', async (_, snapshot) => {
    let hasChanged = false
    const { audited, confirmed } = await confirmedWhile(({ kept, item }) => {
      if (hasChanged) return
      hasChanged = true
      const next = { ...item(), version: item().version + 1, snapshot }
      kept.contracts.set(contract.address, next)
    })
    expect(await confirmed).toEqual({ outcome: 'nothing' })
    expect(audited.item().snapshot).toEqual(snapshot)
    expect(audited.item().ended).toBeUndefined()
  })

  test('a suspicion of another snapshot is looked at no more', async () => {
    const { confirm, calls, kept, item } = ofFew()
    kept.contracts.set(contract.address, { ...item(), snapshot: another })
    expect(await confirm({ ...suspicion, block: 900 })).toEqual({ outcome: 'nothing' })
    expect(calls).toEqual(['position', 'kept contracts', 'kept contracts'])
  })

  test('an audit says nothing about a snapshot that changes meanwhile', async () => {
    const { audit, hooks, kept, item } = ofFew()
    hooks.before = (call) => {
      if (call !== 'owners page') return
      kept.contracts.set(contract.address, { ...item(), snapshot: another })
    }
    expect(await audit()).toEqual({ outcome: 'nothing' })
  })
})
