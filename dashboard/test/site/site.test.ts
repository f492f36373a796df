import { readdir } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DashboardFiles } from '../../build/dashboard-files.ts'
import { searchIn } from '../../site/browser/search-engine.ts'
import { buildSite } from '../../site/build-site.ts'
import { pageGroups, pageName } from '../../site/pages.ts'

let files: DashboardFiles
let published: DashboardFiles
let find: ReturnType<typeof searchIn>
beforeAll(async () => {
  files = await buildSite()
  published = await buildSite({ repository: 'owner/name', hasOwnPolicy: true })
  find = searchIn(JSON.parse(textOf('/docs/search.json')))
})

const textOf = (path: string, from = files) => new TextDecoder().decode(from.get(path)?.body)
const pagesOf = (from: DashboardFiles) => [...from.keys()].filter((path) => path.endsWith('.html'))
const matches = (pattern: RegExp, text: string) =>
  Array.from(text.matchAll(pattern), ([, group = '']) => group)

/** The addresses of a page that its own origin must serve, as URLs below that origin. */
const linked = (path: string, from = files) =>
  matches(/ (?:href|src)="([^"]*)"/g, textOf(path, from))
    .map((link) => new URL(link.replaceAll('&amp;', '&'), `http://site${path}`))
    .filter(({ host }) => host === 'site')

describe('D162: the site of the docs', () => {
  test('has each page of docs, also as a row of the navigation', async () => {
    const pages = (await readdir('docs')).filter((name) => name.endsWith('.md'))
    const sources = pageGroups.flatMap((group) => group.sources)
    expect(sources.filter((source) => source.startsWith('docs/')).toSorted()).toEqual(
      pages.map((name) => `docs/${name}`).toSorted(),
    )
    for (const source of sources) expect([...files.keys()]).toContain(`/docs/${pageName(source)}`)
    expect(pagesOf(published)).toEqual(pagesOf(files))
  })

  test.each([
    ['served by this service', () => files],
    ['published', () => published],
  ])('%s: each link and anchor leads somewhere', (_name, site) => {
    const anchors = new Map(
      pagesOf(site()).map((path) => [
        path,
        new Set(matches(/ id="([^"]*)"/g, textOf(path, site()))),
      ]),
    )
    const broken: string[] = []
    for (const path of pagesOf(site())) {
      const links = linked(path, site())
      expect(links.length).toBeGreaterThan(40)
      for (const { pathname, hash } of links) {
        const isThere = pathname === '/' || site().has(pathname)
        const anchor = decodeURIComponent(hash.slice(1))
        if (!isThere || (anchor && !anchors.get(pathname)?.has(anchor)))
          broken.push(`${path}: ${pathname}${hash}`)
      }
    }
    expect(broken).toEqual([])
  })

  test('splits the reference, and leads from page to page of it', () => {
    expect(textOf('/docs/api.html')).toMatch(/href="reference-problems\.html#\w+"/)
    expect(textOf('/docs/reference-product.html')).toContain('<h1 id="product"')
    expect(textOf('/docs/reference-product.html')).toContain(
      'href="reference-objects.html#product-object"',
    )
    expect(textOf('/docs/reference.html')).not.toContain('id="register-product"')
  })

  test('has the pages of a language model at llms.txt', () => {
    const list = textOf('/docs/llms.txt')
    expect(list).toMatch(/^# Player NFTs\n\n> \S.*\n\n/)
    const links = matches(/^- \[[^\]]+\]\(([^)]+)\): \S/gm, list)
    expect(links.map((name) => `/docs/${name}`).toSorted()).toEqual(pagesOf(files).toSorted())
  })

  test('has no inline script or style, and nothing of other hosts runs', () => {
    for (const path of pagesOf(published)) {
      const html = textOf(path, published)
      const markup = html.replaceAll(/<code>.*?<\/code>/gs, '')
      expect([
        path,
        markup.match(/<script(?![^>]* src="assets\/)|<style|<[^>]* (?:style|on\w+)=/),
      ]).toEqual([path, null])
      expect([path, markup.match(/ src="(?:https?:)?\/\/[^"]*/)]).toEqual([path, null])
    }
    for (const path of [...files.keys()].filter((name) => name.endsWith('.css'))) {
      expect(textOf(path)).not.toMatch(/url\(|@import/)
    }
  })

  test('is small: scripts and the index of the search', () => {
    const scripts = [...files.keys()].filter((path) => path.endsWith('.js'))
    const first = scripts.filter((path) =>
      textOf('/docs/index.html').includes(path.slice('/docs/'.length)),
    )
    const bytes = (paths: string[]) =>
      paths.reduce((sum, path) => sum + (files.get(path)?.body.length ?? 0), 0)
    expect(first).toHaveLength(2)
    expect(bytes(first)).toBeLessThanOrEqual(20 * 1024)
    expect(bytes(scripts)).toBeGreaterThan(bytes(first))
    expect(bytes(scripts)).toBeLessThanOrEqual(60 * 1024)
    const index = files.get('/docs/search.json')?.body ?? ''
    expect(gzipSync(index).length).toBeGreaterThan(1024)
    expect(gzipSync(index).length).toBeLessThanOrEqual(400 * 1024)
  })
})

describe('a site', () => {
  test('of a service leads back to its dashboard, and shows the names of files that it does not have', () => {
    const html = textOf('/docs/contributing.html')
    expect(html).toContain('href="/">Dashboard</a>')
    expect(html).not.toMatch(/github\.com\/owner|http-equiv|Edit this page/)
    expect(html).not.toContain('href=""')
    expect(html).toContain('import-rules.test.ts')
  })

  test('that is published leads to its repository, and has its policy in each page', () => {
    for (const path of pagesOf(published)) {
      const html = textOf(path, published)
      const [policy] = matches(
        /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/g,
        html,
      )
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(policy).not.toContain('frame-ancestors')
      expect(html).toContain('href="https://github.com/owner/name">Repository</a>')
      expect(html).not.toMatch(/(?:href|src)="\//)
    }
    const html = textOf('/docs/contributing.html', published)
    expect(html).toContain('href="https://github.com/owner/name/edit/main/CONTRIBUTING.md"')
    expect(html).toContain('href="https://github.com/owner/name/blob/main/biome.json"')
  })
})

/** What somebody asks, and sections of which one must be among the first three results. */
const questions: [string, RegExp][] = [
  ['why this and not Alchemy directly', /^why\.html/],
  ['why do I get a 401', /^missing\.html#401/],
  ['why is an NFT missing', /^missing\.html#an-nft-is-missing$/],
  ['upgrade to a new version', /^changes\.html#upgrading$/],
  ['forget a player', /^changes\.html#forgetting-a-player$/],
  ['rotate a webhook secret', /^(reference-webhooks\.html#rotate-webhook-secret|webhooks\.html)/],
  ['add a chain', /^changes\.html#open-or-add-a-chain$/],
  ['leaked key', /^runbook\.html#(a-leaked-key|an-api-key)$/],
  ['first deploy', /^first-day\.html/],
  ['what do 1,000 daily players cost', /^costs\.html#what-daily-players-cost$/],
  ['which chains', /^chains\.html/],
  ['npm run check-login', /^connect-your-platform\.html/],
  ['rate_limited', /^reference-problems\.html#rate_limited$/],
  ['wallet sign', /^wallet-sign-in\.html/],
  ['webhok', /webhook/],
  ['playerTokenVerifier', /^client-typescript\.html/],
]

test.each(questions)('"%s" finds its section among the first three', (question, right) => {
  const found = find(question).slice(0, 3)
  expect(found.map(({ to }) => to).join('\n')).toMatch(new RegExp(right, 'm'))
})

test('nothing is found by no word, and by words that say nothing', () => {
  expect([find(''), find('how do I'), find('xyzzyx')]).toEqual([[], [], []])
})
