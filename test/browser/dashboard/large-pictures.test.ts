import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld } from '../../../local/indexer/world.ts'
import { putDocuments } from '../../support/data/json-documents.ts'
import { productWith, type ToAllowlist } from '../../support/requests/reading.ts'
import { startTestIndexer } from '../../support/services/own-service.ts'
import { newAddress } from '../../support/services/service.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { inEachWindow, useDashboard } from './dashboard-page.ts'
import { layoutFaults } from './layout-faults.ts'

const wallet = newAddress()
const world = createWorld()

let contract: ToAllowlist
let apiKey: string
const { service, open } = useDashboard(async () => {
  const indexer = await startTestIndexer(world, afterAll)
  return { INDEXER_URL: indexer.url }
})
beforeAll(async () => {
  const documents = [
    { name: 'A lamp', image: picture('teal', 100_000) },
    { name: 'A lighthouse', image: picture('maroon', 100_001) },
    { name: 'A harbour', image: picture('navy', 900_000) },
  ]
  const sources = documents.map((document) => ({ metadata: JSON.stringify(document) }))
  contract = putDocuments(world, wallet, sources, () => '')
  apiKey = await productWith(service, contract)
})

/** The `data:` URL of a picture of one colour, with this length. */
function picture(colour: string, length: number): string {
  const head = 'data:image/svg+xml,'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="${colour}"/><desc>*</desc></svg>`
  const room = length - head.length - encodeURIComponent(svg).length + 1
  return head + encodeURIComponent(svg).replace('*', 'a'.repeat(room))
}

/** The widths of the pictures that the page has decoded. */
const decoded = (page: BrowserPage) =>
  page
    .locator('main img, dialog img')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))

/** Expects that the page has decoded one picture, and asks for the two large ones. */
async function expectQuestions(page: BrowserPage): Promise<void> {
  await expect.poll(() => decoded(page)).toEqual([9])
  await page.getByRole('button', { name: 'Show picture (101 KB) of A lighthouse' }).waitFor()
  await page.getByRole('button', { name: 'Show picture (900 KB) of A harbour' }).waitFor()
  const look = async () => expect(await layoutFaults(page)).toEqual([])
  await inEachWindow(page, [320, 1280], look, ['light'])
}

describe('D79: pictures of more than 100 KB inside the metadata are decoded after a click', () => {
  test.each(['', '?view=list'])('in the NFTs of a contract%s, with the keyboard', async (query) => {
    const { page, expectAccessible } = await open(
      `/nfts/${contract.chain}/${contract.address}${query}`,
      { apiKey },
    )
    await expectQuestions(page)
    await expectAccessible()
    await page.getByRole('button', { name: /A lighthouse$/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => decoded(page)).toEqual([9, 9])
    // The page of the NFT does not ask again.
    await page.getByRole('link', { name: /^A lighthouse/ }).click()
    await expect.poll(() => decoded(page)).toEqual([9, 9, 9])
  })

  test('in Try it', async () => {
    const { playerToken } = await service.newPlayer([wallet])
    const { page, expectAccessible } = await open('/try?player=&form=structured', { apiKey })
    await page.getByLabel('Player token').fill(playerToken)
    await page.getByRole('button', { name: 'Send' }).click()
    await expectQuestions(page)
    await expectAccessible(['light'])
    await page.getByRole('button', { name: /A harbour$/ }).click()
    await expect.poll(() => decoded(page)).toEqual([9, 9])
  })
})
