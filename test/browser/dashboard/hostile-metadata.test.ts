import { collectionOf, createWorld } from '@player-nfts/local/indexer/world'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { putDocuments } from '../../support/data/json-documents.ts'
import { productWith, type ToAllowlist } from '../../support/requests/reading.ts'
import { startTestIndexer } from '../../support/services/own-service.ts'
import { newAddress } from '../../support/services/service.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { useDashboard } from './dashboard-page.ts'
import { inEachWindow, layoutFaults } from './layout-faults.ts'

/** A script that a document of an NFT tries to run: the page of the test counts its calls. */
const canary = 'globalThis.canary?.()'

/** A host that no page may ask without the user's consent. */
const hostileHost = 'hostile.example'

/** A picture with scripts and pictures of its own, as a gateway could serve it. */
const hostileSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="${canary}"><script>${canary}</script><image href="https://${hostileHost}/in-svg.png" onerror="${canary}"/><foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="https://${hostileHost}/in-html.png" onerror="${canary}"/></foreignObject><rect width="9" height="9" fill="teal"/></svg>`

/** Names that break pages which use them as HTML, as a URL, or as a text of harmless length and direction. */
const hostileNames: readonly string[] = [
  `<script>${canary}</script>`,
  `<img src=x onerror="${canary}">`,
  `"><svg onload="${canary}">`,
  `'"--></style></textarea><iframe srcdoc="<script>parent.${canary}</script>">`,
  `<a href="javascript:${canary}">click</a>`,
  `<base href="https://${hostileHost}/"><link rel="stylesheet" href="https://${hostileHost}/a.css">`,
  `<meta http-equiv="refresh" content="0;url=https://${hostileHost}/">`,
  `\${${canary}} {{${canary}}} #{${canary}} %${canary}%`,
  `javascript:${canary}`,
  '__proto__',
  '\u202Egnp.lagel\u202C \u2066isolated without an end',
  '\u200b\u200c\u200d\u2060\ufeff',
  'before\u0000\u0008\u001b[31mafter',
  '\ud800 alone',
  '👩‍👩‍👧‍👦🏳️‍🌈\u{1F1E9}\u{1F1EA}'.repeat(40),
  `Z${'\u0335\u0321\u0322\u0353\u0306'.repeat(60)}algo`,
  '﷽'.repeat(50),
  'W'.repeat(1_000_000),
  'two\nlines\r\nand\ttabs\u2028separated',
  '',
]

const pictures: readonly string[] = [
  `javascript:${canary}`,
  `data:text/html,<script>${canary}</script>`,
  `https://${hostileHost}/picture.png`,
  `http://${hostileHost}/picture.png`,
  `//${hostileHost}/picture.png`,
  `https://gateway.example@${hostileHost}/picture.png`,
  `https://gateway.example.${hostileHost}/ipfs/picture.png`,
  `https://${'long-label.'.repeat(20)}${hostileHost}/picture.png`,
  `https://${hostileHost}/" onerror="${canary}`,
  'file:///etc/passwd',
  'not a link',
  'blob:https://hostile.example/0b6a2f',
  'ipfs://../../../picture.png',
  'ar://',
  '\u0000',
]

/** Pictures that load by themselves, with scripts inside. */
const loadedPictures: readonly string[] = [
  hostileSvg,
  `data:image/svg+xml,${encodeURIComponent(hostileSvg)}`,
  `data:image/svg+xml;base64,${btoa(hostileSvg)}`,
  'ipfs://bafyhostile/1.svg',
  'data:image/png;base64,broken',
]

/** The links to metadata of the contract, by token identifier. */
const links = [
  `javascript:${canary}`,
  `data:text/html,<script>${canary}</script>`,
  `https://${hostileHost}/" onmouseover="${canary}`,
  `vbscript:${canary}`,
  `https://${hostileHost}/${'a'.repeat(3_000)}`,
  `//${hostileHost}`,
  '\u202egpj.exe',
]

/** Documents of NFTs that anybody could write. */
const hostileDocuments: readonly string[] = [
  ...hostileNames.map((text, index) =>
    JSON.stringify({
      name: text,
      // Two texts of a megabyte would not be shown at all.
      description: text.length > 10_000 ? '' : text,
      image: pictures[index % pictures.length],
      attributes:
        text.length > 10_000 ? [] : [{ trait_type: text, value: text }, { value: `${text}!` }],
    }),
  ),
  JSON.stringify({
    name: 'An NFT with many attributes',
    attributes: hostileNames
      .slice(0, 8)
      .flatMap((text) => Array(40).fill({ trait_type: text, value: text })),
  }),
  ...loadedPictures.map((image) => JSON.stringify({ name: 'A picture with scripts', image })),
]

const hostileLink = (tokenId: string): string => links[Number(tokenId) % links.length] ?? ''

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
async function open(path: string) {
  const calls: string[] = []
  const opened = await openDashboard(path, {
    // Pictures of the gateway load by themselves (D62).
    mayLoad: 'https://gateway.example/',
    apiKey,
    async prepare(page) {
      await page.exposeFunction('canary', () => calls.push('called'))
      page.on('dialog', (dialog) => calls.push(dialog.message()))
      await page.route(/^https:/, async (route) => {
        await route.fulfill({ contentType: 'image/svg+xml', body: hostileSvg })
      })
    },
  })
  onTestFinished(() => expect(calls).toEqual([]))
  return opened
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
