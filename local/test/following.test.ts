import { describe, expect, onTestFinished, test } from 'vitest'
import { tableOf } from '../../test/support/aws/stored-items.ts'
import { newFolder } from '../../test/support/command-fixture.ts'
import { startOwnService, startTestIndexer } from '../../test/support/services/own-service.ts'
import { createWorld } from '../indexer/world.ts'

/** A stack with an indexer of the test, or the sample indexer, which ends with `end` or with the test. */
async function startStack(variables: Record<string, string>, isSample = false) {
  const indexer = await startTestIndexer(createWorld())
  const endings: (() => unknown)[] = []
  const end = async () => {
    for (const close of endings.splice(0).reverse()) await close()
  }
  onTestFinished(end)
  const service = { ...variables, ...(!isSample && { INDEXER_URL: indexer.url }) }
  const own = await startOwnService(service, (close) => endings.push(close))
  return { indexer, log: own.log, table: tableOf(own), end }
}

describe('D152: the local stack', () => {
  test('follows the named chains, and ends although a call is in progress', async () => {
    const { indexer, log, end } = await startStack({ FOLLOWED_CHAINS: 'POLYGON,AMOY' })
    await expect
      .poll(() => [...indexer.networks.keys()].sort())
      .toEqual(['polygon-amoy', 'polygon-mainnet'])
    await end()
    // The call in progress fails, which nobody needs to know.
    expect(log.filter((line) => line.startsWith('follow-chains:'))).toEqual([])
  })

  test('D86: follows at once after a stack on its data folder was killed, with the lease of a follower', async () => {
    const DATA_DIR = newFolder()
    const killed = await startStack({ DATA_DIR })
    const leased = { holder: 'killed', leasedUntil: Date.now() + 3_600_000 }
    await killed.table.put({ pk: 'FOLLOW#POLYGON', sk: 'POSITION' }, leased)
    await killed.end()
    const { table } = await startStack({ DATA_DIR, FOLLOWED_CHAINS: 'POLYGON,AMOY' })
    const position = async () => (await table.itemsUnder('FOLLOW#POLYGON'))[0]
    await expect.poll(position, { timeout: 30_000 }).toHaveProperty('head')
  })

  test.each([true, false])('forgets what was kept of the sample world: %s', async (isSample) => {
    const DATA_DIR = newFolder()
    const before = await startStack({ DATA_DIR }, isSample)
    const address = `0x${'a1'.repeat(20)}`
    const kept = ['KEPT#POLYGON', 'KEPTTRY#POLYGON', 'KEPTCARE#POLYGON']
    for (const pk of kept) await before.table.put({ pk, sk: address })
    await before.end()
    const { table } = await startStack({ DATA_DIR, FOLLOWED_CHAINS: 'POLYGON' }, isSample)
    const found = (await table.itemsUnder('KEPT')).map(({ pk }) => pk)
    expect(found.toSorted()).toEqual(isSample ? [] : kept.toSorted())
  })

  test('follows no chain that is not named', async () => {
    const { indexer, end } = await startStack({})
    await end()
    expect(indexer.requests).toEqual(new Map())
  })
})
