import { describe, expect, test } from 'vitest'
import { IndexerUnavailable, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { UpkeepWork } from '../../../lib/domain/work/work-item.ts'
import { contract, hour, kinds, minute, upkeepWorld } from './upkeep-world.ts'

const down = () => new IndexerUnavailable('down')

/** Lets the message fail that ends a snapshot, because the answer to the write is lost. */
async function failOnce(
  { ports, process }: ReturnType<typeof upkeepWorld>,
  item: UpkeepWork,
): Promise<void> {
  const { keptContracts } = ports
  const write: typeof keptContracts.write = async (...values) => {
    await keptContracts.write(...values)
    throw new ServiceUnavailable('lost')
  }
  ports.keptContracts = { ...keptContracts, write }
  await expect(process(item)).rejects.toThrow(ServiceUnavailable)
  ports.keptContracts = keptContracts
}

describe('D154: an audit', () => {
  const audited = async () => {
    const world = upkeepWorld()
    world.use('7')
    world.state.use = world.read()
    const audit = (await world.upkeep()).find(({ kind }) => kind === 'audit')
    return { ...world, audit: audit as UpkeepWork }
  }

  test('that finds nothing is noted, and the next one is due a day later', async () => {
    const { audit, process, care, state, upkeep } = await audited()
    expect(await process(audit)).toEqual({
      outcome: 'agrees',
      reason: '1 wallets and 0 pairs compared',
    })
    expect(care().audited).toEqual({ id: '7', at: state.now })
    state.now += 24 * hour - minute
    expect(kinds(await upkeep())).not.toContain('audit')
    state.now += minute
    expect(kinds(await upkeep())).toContain('audit')
  })

  /** Audits, looks at the suspicion again when a later block has settled, and returns what that has come to. */
  async function end({
    audit,
    process,
    state,
    queue,
    follow,
  }: Awaited<ReturnType<typeof audited>>) {
    state.count = 2n
    expect(await process(audit)).toMatchObject({ outcome: 'suspicion' })
    const sent = queue.at(-1)
    expect(sent?.delaySeconds).toBe(15)
    expect(await process(sent?.item as UpkeepWork)).toEqual({ outcome: 'suspicion' })
    state.now += 15_000
    follow()
    return await process(queue.at(-1)?.item as UpkeepWork)
  }

  test('whose suspicion cannot be sent is not noted, so that its message finds the same again', async () => {
    const { audit, process, ports, state, care } = await audited()
    state.count = 2n
    const { workQueue } = ports
    ports.workQueue = { ...workQueue, send: () => Promise.reject(new ServiceUnavailable('lost')) }
    await expect(process(audit)).rejects.toThrow(ServiceUnavailable)
    expect(care().audited).toBeUndefined()
    ports.workQueue = workQueue
    expect(await process(audit)).toMatchObject({ outcome: 'suspicion' })
    expect(care().audited).toEqual({ id: '7', at: state.now })
  })

  test('ends the snapshot if the chain says so again a poll later, and a second time for a week', async () => {
    const world = await audited()
    const ended = {
      outcome: 'ended',
      reason: 'another balance on the chain: 1 wallets, 0 pairs',
      endedSnapshots: 1,
    }
    expect(await end(world)).toEqual(ended)
    expect(world.item()).toMatchObject({ ended: { reason: 'audit', at: world.state.now } })
    expect([world.item().snapshot, world.care().doubtedAt]).toEqual([undefined, undefined])
    world.use('8')
    world.state.now += hour
    world.follow()
    const audit = (await world.upkeep()).find(({ kind }) => kind === 'audit') as UpkeepWork
    expect(await end({ ...world, audit })).toEqual(ended)
    expect(world.care().doubtedAt).toBe(world.state.now)
    world.state.now += hour
    expect(kinds(await world.upkeep())).not.toContain('snapshot')
  })

  test('whose message fails after it has ended the snapshot says so when it is repeated', async () => {
    const world = await audited()
    const { audit, process, state, queue, follow, write, item, care } = world
    write({ ended: { reason: 'secondLook', at: 1 } })
    state.count = 2n
    await process(audit)
    state.now += 15_000
    follow()
    const again = queue.at(-1)?.item as UpkeepWork
    await failOnce(world, again)
    expect([item().snapshot, care().doubtedAt]).toEqual([undefined, undefined])
    expect(await process(again)).toMatchObject({ outcome: 'ended', endedSnapshots: 1 })
    expect(care().doubtedAt).toBe(state.now)
  })

  test('is not looked at again for longer than an hour', async () => {
    const { audit, process, state, queue, follow } = await audited()
    state.count = 2n
    await process(audit)
    const { item } = queue.at(-1) ?? {}
    state.now += hour + 1
    follow()
    expect(await process(item as UpkeepWork)).toEqual({ outcome: 'undecided' })
  })

  test('waits while the indexer is down: upkeep sends it again, and a suspicion itself', async () => {
    const { audit, process, state, queue } = await audited()
    state.nodeFails = down()
    const count = queue.length
    expect(await process(audit)).toEqual({ outcome: 'unavailable', reason: 'down' })
    expect(queue).toHaveLength(count)
    state.nodeFails = undefined
    state.count = 2n
    await process(audit)
    const suspicion = queue.at(-1)?.item as UpkeepWork
    state.hasLeft = false
    expect(await process(suspicion)).toEqual({ outcome: 'later' })
    expect(queue.at(-1)).toEqual({ item: suspicion, delaySeconds: 600 })
  })
})

describe('D154: a second look', () => {
  const looked = async () => {
    const world = upkeepWorld()
    world.use('7')
    const sent: UpkeepWork[] = []
    for (let count = 0; count < 40 && sent.length === 0; count += 1) {
      const found = (await world.upkeep()).filter(({ kind }) => kind === 'secondLook')
      sent.push(...found)
      if (sent.length > 0) break
      world.state.now += 20_000
      world.follow()
    }
    return { ...world, look: sent[0] as Extract<UpkeepWork, { kind: 'secondLook' }> }
  }

  test('is about the blocks since the last one, and counts for nobody', async () => {
    const { look, process, state } = await looked()
    expect(look).toMatchObject({
      look: { chain: 'POLYGON', contracts: [{ address: contract.address, id: '7' }] },
      until: state.now + hour,
    })
    expect(look.look.to - look.look.from).toBe(149)
    expect(await process(look)).toEqual({ outcome: 'agrees', reason: undefined })
    expect(state.spent).toEqual([])
  })

  test('ends the snapshot if the source tells other events than have settled, twice', async () => {
    const world = await looked()
    const { look, process, state, queue, item, care } = world
    state.events.push({
      ...{ contract: contract.address, index: 0 },
      block: { number: look.look.to - 5, hash: `0x${'1'.repeat(64)}` },
      details: { transactionHash: '0x1' },
    })
    expect(await process(look)).toMatchObject({ outcome: 'again', reason: '1 again' })
    const again = queue.at(-1)
    expect(again).toMatchObject({
      item: { look: { contracts: [{ isSuspected: true }] }, until: look.until },
      delaySeconds: 15,
    })
    const ended = {
      ...{ outcome: 'ended', reason: `1 ended, ${contract.address}`, endedSnapshots: 1 },
    }
    await failOnce(world, again?.item as UpkeepWork)
    // The message is repeated.
    expect(await process(again?.item as UpkeepWork)).toEqual(ended)
    expect(item().ended?.reason).toBe('secondLook')
    expect(care().doubtedAt).toBeUndefined()
  })

  test('that ends the snapshot after an audit ended the one before holds the next one back for a week', async () => {
    const { look, process, state, ports, write, care } = await looked()
    write({ ended: { reason: 'audit', at: 1 } })
    ports.settledDigests = {
      read: async () => [{ after: look.look.to - 9, upTo: look.look.to, count: 1, digest: '' }],
    }
    const contracts = look.look.contracts.map((of) => ({ ...of, isSuspected: true as const }))
    const again: UpkeepWork = { ...look, look: { ...look.look, contracts } }
    expect(await process(again)).toMatchObject({ outcome: 'ended' })
    expect(care().doubtedAt).toBe(state.now)
  })

  test('is repeated for an hour while the indexer is down', async () => {
    const { look, process, state, queue } = await looked()
    state.nodeFails = down()
    expect(await process(look)).toEqual({ outcome: 'unavailable', reason: 'down' })
    expect(queue.at(-1)).toEqual({ item: look, delaySeconds: 60 })
    state.now = look.until + 1
    expect(await process(look)).toEqual({ outcome: 'undecided', reason: '1 left' })
  })
})
