import { describe, expect, onTestFinished, test } from 'vitest'
import { createWorld } from '../../local/indexer/world.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'

/** A stack with an indexer of the test, which ends with `end` or with the test. */
async function startStack(variables: Record<string, string>) {
  const indexer = await startTestIndexer(createWorld())
  const endings: (() => Promise<void>)[] = []
  const end = async () => {
    for (const close of endings.splice(0).reverse()) await close()
  }
  onTestFinished(end)
  const service = { ...variables, INDEXER_URL: indexer.url }
  const { log } = await startOwnService(service, (close) => endings.push(close))
  return { indexer, log, end }
}

describe('D66: the local stack', () => {
  test('follows the named chains, and ends although a call is in progress', async () => {
    const { indexer, log, end } = await startStack({ FOLLOWED_CHAINS: 'POLYGON,AMOY' })
    await expect
      .poll(() => [...indexer.networks.keys()].sort())
      .toEqual(['polygon-amoy', 'polygon-mainnet'])
    await end()
    // The call in progress fails, which nobody needs to know.
    expect(log.filter((line) => line.startsWith('follow-chain '))).toEqual([])
  })

  test('follows no chain that is not named', async () => {
    const { indexer, end } = await startStack({})
    await end()
    expect(indexer.requests).toEqual(new Map())
  })
})
