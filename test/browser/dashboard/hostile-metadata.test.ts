import { collectionOf, createWorld } from '@player-nfts/local/indexer/world'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { putDocuments } from '../../support/data/json-documents.ts'
import { productWith, type ToAllowlist } from '../../support/requests/reading.ts'
import { startTestIndexer } from '../../support/services/own-service.ts'
import { newAddress } from '../../support/services/service.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { type DashboardPage, useDashboard } from './dashboard-page.ts'
import {
  hostileDocuments,
  hostileHost,
  hostileLink,
  hostileNames,
  hostileSvg,
} from './hostile-documents.ts'
import { inEachWindow, layoutFaults } from './layout-faults.ts'

const gateway = 'https://gateway.example/ipfs/'
const wallet = newAddress()
const world = createWorld()

let contract: ToAllowlist
let apiKey: string
const { service, open: openDashboard } = useDashboard(async () => {
  const indexer = await startTestIndexer(world, afterAll)
  return { INDEXER_URL: indexer.url, IPFS_GATEWAY: gateway }
})
beforeAll(async () => {
  const sources = hostileDocuments.map((metadata) => ({ metadata }))
  contract = putDocuments(world, wallet, sources, hostileLink)
  apiKey = await productWith(service, contract)
})

/** Opens a page that counts the calls of scripts in metadata. The test fails if there is one, or an unasked request. */
async function open(path: string): Promise<Pick<DashboardPage, 'page' | 'expectAccessible'>> {
  const calls: string[] = []
  const { page, expectAccessible } = await openDashboard(path, {
    // Pictures of the gateway load by themselves (D62).
    mayLoad: 'https://gateway.example/',
    apiKey,
    async prepare(opened) {
      await opened.exposeFunction('canary', () => calls.push('called'))
      opened.on('dialog', (dialog) => calls.push(dialog.message()))
      await opened.route(/^https:/, async (route) => {
        await route.fulfill({ contentType: 'image/svg+xml', body: hostileSvg })
      })
    },
  })
  onTestFinished(() => expect(calls).toEqual([]))
  return { page, expectAccessible }
}

const contractPath = (query = '') => `/nfts/${contract.chain}/${contract.address}${query}`

/** Expects that the layout holds, and that the page has no link that runs a script. */
async function expectHarmless(page: BrowserPage, widths = [320, 1280]): Promise<void> {
  const look = async () => expect(await layoutFaults(page)).toEqual([])
  await inEachWindow(page, widths, look)
  const found = await page.evaluate(() => {
    const elements = [...document.querySelectorAll('*')]
    const links = [...document.querySelectorAll('a')]
    const protocols = links.map(({ protocol }) => protocol)
    return {
      handlers: elements.flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith('on')),
      ),
      protocols: [...new Set(protocols)].filter((protocol) => !/^https?:$/.test(protocol)),
      // Other hosts must get neither a referrer nor access to the page.
      unguarded: links
        .filter(({ origin, rel }) => origin !== location.origin && rel !== 'noopener noreferrer')
        .map(({ href }) => href),
      foreign: document.querySelectorAll(
        'main script, main iframe, main style, base, object, embed',
      ).length,
    }
  })
  expect(found).toEqual({ handlers: [], protocols: [], unguarded: [], foreign: 0 })
}

describe('D62: hostile metadata runs nothing, asks no foreign host, and keeps the layout', () => {
  test.each(['', '?view=list'])('in the NFTs of a contract%s', async (query) => {
    const { page, expectAccessible } = await open(contractPath(query))
    await page.locator('.nft-card').first().waitFor()
    await expectHarmless(page)
    await expectAccessible()
    const heights = await page
      .locator('.nft-card')
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBeLessThan(330)
    const button = page.getByRole('button', { name: `Load pictures from ${hostileHost}` }).first()
    expect(await button.count()).toBe(1)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.getByText('A picture with scripts').last().waitFor()
    const nameless = contract.tokenIds[hostileNames.indexOf('')]
    await page.getByRole('link', { name: `No name, ${nameless}`, exact: true }).waitFor()
    await expectHarmless(page)
  })

  test('in the dialog of each NFT', async () => {
    const { page } = await open(contractPath())
    await page.locator('.nft-card').first().waitFor()
    for (const tokenId of contract.tokenIds) {
      await page.goto(`${service.url}${contractPath(`?token=${tokenId}`)}`)
      await page.locator('dialog .nft-details').waitFor()
      await expectHarmless(page, [320])
    }
  }, 180_000)

  test('in the report of a refresh', async () => {
    const { tokens } = collectionOf(world, {
      network: 'polygon-mainnet',
      address: contract.address,
    })
    for (const token of tokens.values()) {
      const document = JSON.parse(token.source.metadata)
      token.source = { metadata: JSON.stringify({ ...document, season: 'second' }) }
      if (document.name.length < 1_000) {
        const changed = {
          ...document,
          name: `${document.name} `,
          description: `<b>${document.name}`,
        }
        token.source = { metadata: JSON.stringify(changed) }
      }
    }
    const { page } = await open(contractPath())
    await page.locator('.nft-card').first().waitFor()
    await page.getByRole('button', { name: 'Refresh…' }).click()
    await page.getByRole('button', { name: 'Refresh now' }).click()
    await page.locator('.change').first().waitFor()
    await expectHarmless(page)
  })

  test.each(['structured', 'raw'])('in Try it, %s', async (form) => {
    const { playerToken } = await service.newPlayer([wallet])
    const { page } = await open(`/try?player=&form=${form}`)
    await page.getByLabel('Player token').fill(playerToken)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { name: 'The game sees' }).waitFor()
    await expectHarmless(page)
  })
})
