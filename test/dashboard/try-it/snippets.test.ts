import { execFile, execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { type Call, urlOf } from '../../../dashboard/views/try-it/call.ts'
import {
  csharpLiteral,
  godotLiteral,
  scriptLiteral,
  shellLiteral,
  unrealLiteral,
} from '../../../dashboard/views/try-it/literals.ts'
import {
  curlSnippet,
  snippetLanguages,
  typescriptSnippet,
} from '../../../dashboard/views/try-it/snippets.ts'
import { newFolder } from '../../support/command-fixture.ts'
import { serve } from '../../support/services/http-server.ts'
import { onWindows } from '../../support/vitest/windows.ts'

const call: Call = {
  origin: 'https://nfts.example',
  form: 'structured',
  query: [['chains', 'POLYGON,BSC']],
  caller: 'server',
  productId: '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e',
}

describe('Try it: the call as code', () => {
  test.each(snippetLanguages)('$label has the URL of the call once', ({ write }) => {
    const url = 'https://nfts.example/api/public/v1/player/tokens?chains=POLYGON%2CBSC'
    expect(write(call).split(url)).toHaveLength(2)
  })

  test.each(snippetLanguages)('$label has an API key on a server only', ({ write }) => {
    expect(write(call)).toMatch(/X-Api-Key.*API_KEY/)
    expect(write(call)).not.toContain('productId=')
    const inGame = write({ ...call, caller: 'game' })
    expect(inGame).not.toMatch(/api.?key/i)
    expect(inGame).toContain(`?productId=${call.productId}&chains=POLYGON%2CBSC`)
  })

  test.each(snippetLanguages)('$label has the player token as a header', ({ write }) => {
    expect(write(call)).toContain('X-Player-Token')
    expect(urlOf(call)).not.toContain('playerToken')
  })

  test.each(snippetLanguages)('$label follows nextCursor to the end', ({ write }) => {
    expect(write(call)).toMatch(/nextCursor/)
    if (!/curl|searchParams/.test(write(call))) {
      expect(write(call)).toContain('"&cursor="')
      expect(write({ ...call, query: [] })).toContain('"?cursor="')
    }
  })

  test('a query with hostile values stays in the URL', () => {
    const cursor = `"'\\\n$(x)\`y\`&a=b#c%22 ü`
    const url = new URL(urlOf({ ...call, query: [['cursor', cursor]] }))
    expect([...url.searchParams]).toEqual([['cursor', cursor]])
    expect(urlOf({ ...call, query: [['cursor', cursor]] })).toMatch(/^[\w:/.?=%+*-]+$/)
    expect(urlOf({ ...call, query: [] })).toBe('https://nfts.example/api/public/v1/player/tokens')
  })
})

const run = promisify(execFile)

/** The last page has what looks like a further cursor. */
const pages = [
  '{"data":[{"tokenId":"1"}],"success":true,"nextCursor":"a_1","asOf":"now"}',
  '{"data":[],"success":true,"nextCursor":"b-2","asOf":"now"}',
  String.raw`{"data":[{"tokenId":"2","rawMetadata":{"a":"\\n","nextCursor":"x"}}],"success":true,"asOf":"now"}`,
]

/** Serves the pages, and notes the cursors that it gets, with the credentials. */
async function pagedService() {
  const seen: string[] = []
  const origin = await serve(({ url = '', headers }, response) => {
    const { searchParams } = new URL(url, 'http://service')
    const credentials = `${headers['x-api-key']} ${headers['x-player-token']}`
    seen.push(`${searchParams.get('chains')} ${searchParams.get('cursor') ?? ''} ${credentials}`)
    response.end(pages[seen.length - 1])
  })
  const call: Call = {
    ...{ origin, form: 'raw', caller: 'server', productId: 'my-game' },
    query: [['chains', 'BSC']],
  }
  return { call, seen }
}

const env = { PATH: process.env['PATH'], API_KEY: 'key', PLAYER_TOKEN: 'token' }
const everyPage = ['BSC  key token', 'BSC a_1 key token', 'BSC b-2 key token']

test('the curl commands print every page as it is', async () => {
  const { call, seen } = await pagedService()
  const { stdout } = await run('sh', ['-c', curlSnippet(call)], { env })
  expect(stdout).toBe(`${pages.join('\n')}\n`)
  expect(seen).toEqual(everyPage)
})

test('the curl commands end at once without a credential', async () => {
  const { call, seen } = await pagedService()
  const { stdout } = await run('sh', ['-c', curlSnippet(call)], { env: { PATH: env.PATH } })
  expect([stdout, seen]).toEqual(['', []])
})

test('the TypeScript module returns the NFTs of every page', async () => {
  const { call, seen } = await pagedService()
  const folder = newFolder()
  await writeFile(join(folder, 'nfts.mts'), typescriptSnippet(call))
  const { stdout } = await run(process.execPath, [join(folder, 'nfts.mts')], { env })
  expect(stdout.match(/tokenId: '\d'/g)).toEqual(["tokenId: '1'", "tokenId: '2'"])
  expect(seen).toEqual(everyPage)
})

const hostile = [
  '',
  'plain',
  `it's "quoted" and 'quoted'`,
  String.raw`back\slash \n \' \" \\`,
  'line\nfeed\r\ncarriage\ttab',
  '$(touch x) `touch y` $HOME !!',
  '%s %d {0} {{ }} #{x}',
  '// comment */ /* -- ; & | > <',
  '??/ ??= ??(',
  '</script><img src=x onerror=alert(1)>',
  '\u0001\u001b\u007f\u0085\u2028\u2029',
  'Türme 🏮 \u202Eevil\u202C \u200B',
]

describe('Try it: string literals of hostile texts', () => {
  test.each(hostile)('JavaScript reads %j', (text) => {
    expect(runInNewContext(scriptLiteral(text))).toBe(text)
  })

  test.skipIf(onWindows).each(hostile)('a shell reads %j', (text) => {
    const printed = execFileSync('sh', ['-c', `printf %s ${shellLiteral(text)}`])
    expect(printed.toString()).toBe(text)
  })

  test.each(hostile)('the engines get one line of printable ASCII for %j', (text) => {
    for (const write of [scriptLiteral, csharpLiteral, unrealLiteral, godotLiteral]) {
      expect(write(text)).toMatch(/^[\x20-\x7e]+$/)
    }
  })

  test.each(hostile)('C#, C++ and GDScript read %j', (text) => {
    expect(read(csharpLiteral(text), 8)).toBe(text)
    expect(read(unrealLiteral(text).slice('TEXT('.length, -1), 8)).toBe(text)
    expect(read(godotLiteral(text), 6)).toBe(text)
  })

  test('halves of surrogate pairs become the replacement character', () => {
    for (const write of [shellLiteral, scriptLiteral]) {
      expect(runInNewContext(write('a\ud83cb'))).toBe('a\ufffdb')
    }
    for (const write of [csharpLiteral, unrealLiteral, godotLiteral]) {
      expect(write('a\ud83cb')).toContain('"a\\uFFFDb"')
    }
  })

  test('literals that cannot contain a null character do not', () => {
    expect(shellLiteral('a\0b')).toBe("'ab'")
    expect(unrealLiteral('a\0b')).toBe('TEXT("a\\uFFFDb")')
    expect(godotLiteral('a\0b')).toBe('"a\\uFFFDb"')
  })
})

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** Reads a string literal whose long escape sequences have this number of digits, as the three languages do. */
function read(literal: string, longDigits: number): string {
  const body = /^"((?:[^"\\]|\\.)*)"$/.exec(literal)?.[1]
  if (body === undefined) throw new Error(`not a literal: ${literal}`)
  const sequence = new RegExp(`\\\\(?:u(.{4})|U(.{${longDigits}})|(.))`, 'g')
  return body.replaceAll(sequence, (_, short, long, single) =>
    single === undefined
      ? String.fromCodePoint(Number.parseInt(short ?? long, 16))
      : (controls[single] ?? single),
  )
}
