import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildConnect, connectFile } from '../build/build-connect.ts'
import { buildDashboard } from '../build/build-dashboard.ts'
import { type DashboardFile, type DashboardFiles, dashboardFile } from '../build/dashboard-files.ts'
import { appSecurityHeaders } from '../build/security-headers.ts'

const config = {
  stage: 'dev',
  ipfsGateway: 'https://ipfs.example/',
  arweaveGateway: 'https://arweave.example/',
  chains: ['POLYGON'],
}

let files: DashboardFiles
let html: string
const textOf = (path: string, from = files) => new TextDecoder().decode(from.get(path)?.body)
const compressedSize = (built: Iterable<{ body: Uint8Array }>) =>
  [...built].reduce((sum, { body }) => sum + gzipSync(body).length, 0)

/** Expects that nothing of a page is inline, and that neither the page nor its styles load from other hosts. */
function expectOwnFilesOnly(page: string, built: DashboardFiles) {
  expect(page).not.toMatch(/https?:|<script(?![^>]* src=)|<style|\bstyle=|\bon\w+=/)
  const css = [...built.keys()].filter((path) => path.endsWith('.css'))
  for (const path of css) expect(textOf(path, built)).not.toMatch(/url\(|@import/)
  expect(css).toHaveLength(1)
}

beforeAll(async () => {
  files = await buildDashboard(config)
  html = textOf('/index.html')
})

/** The scripts that a browser loads before it shows the page Sign in, which is loaded on demand. */
function firstLoad(): string[] {
  const pending = [...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? '')
  const signIn = [...files.keys()].filter((path) => path.includes('/sign-in-view-'))
  expect(signIn).toHaveLength(1)
  pending.push(...signIn)
  const found = new Set<string>()
  for (const path of pending) {
    if (found.has(path)) continue
    found.add(path)
    const imported = textOf(path).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)
    pending.push(...[...imported].map(([, name]) => `/assets/${name}`))
  }
  return [...found]
}

describe('the built dashboard', () => {
  test('has a first load of at most 60 KB of compressed JavaScript', () => {
    const scripts = firstLoad()
    expect(scripts.length).toBeGreaterThan(3)
    const total = compressedSize(scripts.map((path) => files.get(path) as DashboardFile))
    expect(total).toBeGreaterThan(10_000)
    expect(total).toBeLessThanOrEqual(60 * 1024)
  })

  test('has no view in the scripts that every page loads', () => {
    const every = [...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path]) =>
      textOf(path ?? ''),
    )
    expect(every.length).toBeGreaterThan(1)
    for (const text of every) expect(text).not.toContain('Sign in or register')
  })

  test('names its files by their content, which browsers keep, and asks for the page each time', () => {
    for (const [path, { cacheControl }] of files) {
      const isAsset = path.startsWith('/assets/')
      expect([path, cacheControl]).toEqual([
        path,
        isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
      ])
    }
    expect([...files.keys()]).toContain('/config.json')
    expect(JSON.parse(textOf('/config.json'))).toEqual(config)
  })

  test('is the same each time', async () => {
    expect([...(await buildDashboard(config)).keys()].sort()).toEqual([...files.keys()].sort())
  })

  test('D62: has no inline script or style, and loads nothing from other hosts', () => {
    expectOwnFilesOnly(html, files)
  })

  test('knows the type of each file', () => {
    expect(() => dashboardFile('/virus.exe', '')).toThrow('/virus.exe has no known content type')
  })
})

describe('D62: the content security policy', () => {
  const policy = (options = {}) => appSecurityHeaders(options)['content-security-policy']

  test('permits scripts, styles and requests of its own origin only', () => {
    expect(policy()?.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data: https:",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    )
    expect(policy()).not.toContain('unsafe')
  })

  test('permits pictures over HTTP only of this machine, and only locally', () => {
    expect(policy()).not.toContain('http:')
    expect(policy({ localPictures: true })).toContain(
      "img-src 'self' data: https: http://127.0.0.1:*",
    )
  })
})

test('D62: no code of the dashboard writes HTML or evaluates text', async () => {
  const names = await readdir('dashboard', { recursive: true })
  const sources = names.filter((name) => /^(?!test\/|node_modules\/).*\.tsx?$/.test(name))
  expect(sources.length).toBeGreaterThan(30)
  const forbidden =
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|javascript:|localStorage/
  const found: string[] = []
  for (const name of sources) {
    const text = await readFile(join('dashboard', name), 'utf8')
    // The chosen theme is the only thing in localStorage.
    if (forbidden.test(text) && name !== join('shell', 'theme.ts')) found.push(name)
  }
  expect(found).toEqual([])
})

describe('D114: the built page /connect', () => {
  let connect: DashboardFiles
  let page: string
  beforeAll(async () => {
    connect = await buildConnect({ chainIds: { BASE: 8453, BSC: 56 } })
    page = textOf(connectFile, connect)
  })

  test('is at most 40 KB of compressed files, in one bundle', () => {
    const scripts = [...connect.keys()].filter((path) => path.endsWith('.js'))
    expect(scripts).toHaveLength(2)
    const total = compressedSize(connect.values())
    expect(total).toBeGreaterThan(15_000)
    expect(total).toBeLessThanOrEqual(40 * 1024)
  })

  test('has all files that it loads, and nothing of other hosts or inline', () => {
    const loaded = Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), ([, to]) => to)
    expect(loaded).toHaveLength(4)
    for (const path of loaded) expect(connect.has(path ?? ''), path).toBe(true)
    expectOwnFilesOnly(page, connect)
  })

  test('loads no pictures of other hosts', () => {
    const policy = `<meta http-equiv="Content-Security-Policy" content="img-src 'self' data:">`
    expect(page).toContain(policy)
  })

  test('names the chains that the deployment opens', () => {
    expect(page).toContain('<meta name="sign-in-chains" content="BASE:8453 BSC:56">')
  })
})
