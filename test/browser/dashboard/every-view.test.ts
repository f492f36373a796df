import { pagePaths } from '@player-nfts/dashboard/shell/page-paths'
import { samples } from '@player-nfts/local/samples'
import { beforeAll, describe, expect, test } from 'vitest'
import { keyIn, keysOf } from '../../support/requests/keys.ts'
import { useDashboard } from './dashboard-page.ts'
import { expectGoodLayout } from './layout-faults.ts'
import type { ViewState } from './view-state.ts'
import { viewStates } from './view-states.ts'

/** The widths of the windows, in pixels: from a small telephone to a large screen. */
const widths = [320, 768, 1280, 1920]

const { service, open } = useDashboard({}, { sampleProduct: { apiKey: crypto.randomUUID() } })
const apiKeys: Partial<Record<ViewState['visitor'], string>> = {}
beforeAll(async () => {
  apiKeys.new = await service.newProduct()
  apiKeys.sample = await sampleProduct()
})

/** A product with the sample collections, some keys, and the events of these changes. */
async function sampleProduct(): Promise<string> {
  const apiKey = await service.newProduct()
  for (const { chain, address, name, tokenIds } of Object.values(samples.collections)) {
    const body = { chain, contractAddress: address, contractDescription: name, tokens: tokenIds }
    await service.call('POST /product/tokens', { apiKey, body })
  }
  const keys = keysOf(service.call, apiKey)
  await keys.create({ label: 'Game servers', scope: 'READ', expiresAt: '2099-01-31T12:00:00Z' })
  await keys.end(keyIn(await keys.create({ label: 'Former tools of the studio' })).keyId)
  return apiKey
}

describe('every view', () => {
  test('is among the states', () => {
    const paths = viewStates.map(({ path }) => path.split('?')[0] as string)
    const patterns = Object.values(pagePaths).filter((path) => path !== '/')
    const missing = patterns.filter((pattern) => {
      const form = new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`)
      return !paths.some((path) => form.test(path))
    })
    expect(missing).toEqual([])
  })

  test.each(viewStates)('$name: nothing is cut, overlaps or is inaccessible', async (state) => {
    const opened = await open(state.path, {
      apiKey: apiKeys[state.visitor],
      ...(state.prepare && { prepare: state.prepare }),
    })
    await state.reach(opened.page)
    await expectGoodLayout(opened, state.name, widths)
  })
})
