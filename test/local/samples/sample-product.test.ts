import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { sampleProduct } from '../../../local/samples/sample-product.ts'
import { samples } from '../../../local/samples/samples.ts'
import { newFolder } from '../../support/command-fixture.ts'
import { allowedNfts } from '../../support/requests/allowlists.ts'
import { sharedService } from '../../support/services/service.ts'

const { call } = sharedService()
const { url } = inject('target')
const { lanterns, vessels } = samples.collections
const ofLanterns = { contractAddress: lanterns.address, chain: 'POLYGON' }

/** The addresses of the contracts that are on the allowlist. */
const allowed = async (apiKey: string) =>
  new Set((await allowedNfts(call, apiKey)).map(({ address }) => address))

test('a start allowlists the collections of chains that were not open before', async () => {
  const folder = newFolder()
  const { apiKey } = await sampleProduct(url, folder, ['POLYGON'])
  expect((await allowed(apiKey)).has(vessels.address)).toBe(false)
  expect((await sampleProduct(url, folder, ['POLYGON', 'BSC'])).apiKey).toBe(apiKey)
  expect((await allowed(apiKey)).has(vessels.address)).toBe(true)
})

test('a start leaves the changes of the developer', async () => {
  const folder = newFolder()
  const { apiKey } = await sampleProduct(url, folder, ['POLYGON'])
  await call('DELETE /product/contract', { apiKey, query: ofLanterns })
  expect((await sampleProduct(url, folder, ['POLYGON'])).apiKey).toBe(apiKey)
  expect((await allowed(apiKey)).has(lanterns.address)).toBe(false)
})

test('a start on the folder of an earlier release allowlists the new collections', async () => {
  const folder = newFolder()
  const { apiKey } = await sampleProduct(url, folder, ['POLYGON'])
  await call('DELETE /product/contract', { apiKey, query: ofLanterns })
  const file = join(folder, 'sample-product.json')
  const { collections: _, ...earlier } = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify(earlier))
  expect((await sampleProduct(url, folder, ['POLYGON'])).apiKey).toBe(apiKey)
  expect((await allowed(apiKey)).has(lanterns.address)).toBe(true)
})
