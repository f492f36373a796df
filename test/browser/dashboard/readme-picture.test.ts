import { mkdirSync, writeFileSync } from 'node:fs'
import { samples } from '@player-nfts/local/samples'
import { expect, test } from 'vitest'
import { allowlist } from '../../support/requests/allowlists.ts'
import { useDashboard } from './dashboard-page.ts'

const { keepers } = samples.collections
const { service, product, open } = useDashboard()

/** `DASHBOARD_PICTURE=1 npm run test:browser -- readme-picture` writes the picture of the README anew. */
test('the picture of the README shows NFTs with their pictures, in at most 150 KB', async () => {
  const { chain, address: contractAddress, name: contractDescription, tokenIds: tokens } = keepers
  await allowlist(service.call, product.apiKey, {
    chain,
    contractAddress,
    contractDescription,
    tokens,
  })
  const { page } = await open(`/nfts/${chain}/${contractAddress}`, {
    context: { viewport: { width: 1120, height: 560 }, colorScheme: 'light' },
  })
  const pictures = page.locator('.nft-card img')
  await expect
    .poll(() =>
      pictures.evaluateAll(
        (images) =>
          images.length > 4 && images.every((image) => (image as HTMLImageElement).complete),
      ),
    )
    .toBe(true)
  const picture = await page.screenshot()
  expect(picture.length).toBeLessThanOrEqual(150_000)
  if (!process.env['DASHBOARD_PICTURE']) return
  const folder = new URL('../../../docs/images/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('dashboard.png', folder), picture)
})
