import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildConnect, connectFile } from '../../../dashboard/build/build-connect.ts'
import type { DashboardFiles } from '../../../dashboard/build/dashboard-files.ts'
import { withSamplePlayers } from '../../../local/pages/sample-players/sample-players.ts'
import { samples } from '../../../local/samples/samples.ts'

/** The largest size of the page with its scripts and styles, in bytes as they are sent compressed. */
const budget = 40 * 1024

let files: DashboardFiles
let html: string
beforeAll(async () => {
  files = await buildConnect({ chain: 'BASE' })
  html = textOf(files, connectFile)
})

const textOf = (from: DashboardFiles, path: string) =>
  new TextDecoder().decode(from.get(path)?.body)
const loadedBy = (page: string) =>
  Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), ([, to]) => to)

describe('D114: the built page /connect', () => {
  test('is at most 40 KB of compressed files, in one bundle', () => {
    const scripts = [...files.keys()].filter((path) => path.endsWith('.js'))
    expect(scripts).toHaveLength(2)
    const bytes = [...files.values()].map(({ body }) => gzipSync(body).length)
    const total = bytes.reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(15_000)
    expect(total).toBeLessThanOrEqual(budget)
  })

  test('has all files that it loads, and nothing of other hosts or inline', () => {
    const loaded = loadedBy(html)
    expect(loaded).toHaveLength(4)
    for (const path of loaded) expect(files.has(path ?? ''), path).toBe(true)
    expect(html).not.toMatch(/https?:|<script(?![^>]* src=)|<style|\bstyle=|\bon\w+=/)
    const css = [...files.keys()].filter((path) => path.endsWith('.css'))
    for (const path of css) expect(textOf(files, path)).not.toMatch(/url\(|@import/)
    expect(css).toHaveLength(1)
  })

  test('loads no pictures of other hosts', () => {
    const policy = `<meta http-equiv="Content-Security-Policy" content="img-src 'self' data:">`
    expect(html).toContain(policy)
  })

  test('names a chain that the deployment opens', () => {
    expect(html).toContain('<meta name="sign-in-chain" content="BASE">')
  })

  test('has no sample player and no code that signs, but in npm start', async () => {
    const names = Object.values(samples.players).map(({ username }) => username)
    const traces = [...names, 'brindlewake', 'sample-players', 'Ethereum Signed']
    const all = (from: DashboardFiles) => [...from.keys()].map((path) => textOf(from, path)).join()
    const local = await withSamplePlayers(
      await buildConnect({ chain: 'BASE', samplePlayers: true }),
    )
    for (const trace of traces) {
      expect([trace, all(files).includes(trace)]).toEqual([trace, false])
      expect([trace, all(local).includes(trace)]).toEqual([trace, true])
    }
    expect(loadedBy(textOf(local, connectFile))).toContain('/connect/sample-players.js')
  })
})
