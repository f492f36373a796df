import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { serve } from '../../../test/support/services/http-server.ts'
import { type Call, urlOf } from '../../views/try-it/call.ts'
import { curlSnippet, snippetLanguages, typescriptSnippet } from '../../views/try-it/snippets.ts'

const call: Call = {
  origin: 'https://nfts.example',
  form: 'structured',
  query: [['chains', 'POLYGON,BSC']],
  caller: 'server',
  productId: '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e',
}

describe('Try it: the call as code', () => {
  test.each(snippetLanguages)('$label has the URL once, and follows nextCursor', ({ write }) => {
    const url = 'https://nfts.example/api/public/v1/player/tokens?chains=POLYGON%2CBSC'
    expect(write(call).split(url)).toHaveLength(2)
    expect(write(call)).toMatch(/nextCursor/)
    if (/curl|searchParams/.test(write(call))) return
    expect(write(call)).toContain('"&cursor="')
    expect(write({ ...call, query: [] })).toContain('"?cursor="')
  })

  test.each(snippetLanguages)('$label has its credentials as headers', ({ write }) => {
    expect(write(call)).toContain('X-Player-Token')
    expect(urlOf(call)).not.toContain('playerToken')
    expect(write(call)).toMatch(/X-Api-Key.*API_KEY/)
    expect(write(call)).not.toContain('productId=')
    const inGame = write({ ...call, caller: 'game' })
    expect(inGame).not.toMatch(/api.?key/i)
    expect(inGame).toContain(`?productId=${call.productId}&chains=POLYGON%2CBSC`)
  })

  test('hostile values stay in the URL, in which no language has a character of its own', () => {
    const productId = `"'\\\n$(x)\`y\`&a=b#c%22 ü??/!*/\u2028`
    const url = urlOf({ ...call, caller: 'game', productId, query: [['cursor', productId]] })
    expect([...new URL(url).searchParams]).toEqual(Object.entries({ productId, cursor: productId }))
    expect(url).toMatch(/^[\w:/.?=%+*&-]+$/)
    expect(url).not.toContain('??')
    expect(urlOf({ ...call, query: [] })).toBe('https://nfts.example/api/public/v1/player/tokens')
  })
})

/** The last page has what looks like a further cursor. */
const pages = [
  '{"data":[{"tokenId":"1"}],"success":true,"nextCursor":"a_1","asOf":"now"}',
  '{"data":[],"success":true,"nextCursor":"b-2","asOf":"now"}',
  String.raw`{"data":[{"tokenId":"2","rawMetadata":{"a":"\\n","nextCursor":"x"}}],"success":true,"asOf":"now"}`,
]

/** Runs code with the pages, each of which it reads once, and returns what it prints. */
async function printed(write: (call: Call) => string, program: string, ...options: string[]) {
  const seen: string[] = []
  const origin = await serve(({ url = '', headers }, response) => {
    const cursor = new URL(url, 'http://service').searchParams.get('cursor') ?? ''
    seen.push(`${cursor} ${headers['x-api-key']} ${headers['x-player-token']}`)
    response.end(pages[seen.length - 1])
  })
  const env = { PATH: process.env['PATH'], API_KEY: 'key', PLAYER_TOKEN: 'token' }
  const code = write({ ...call, origin })
  const { stdout } = await promisify(execFile)(program, [...options, code], { env })
  expect(seen).toEqual([' key token', 'a_1 key token', 'b-2 key token'])
  return stdout
}

test('the curl commands print every page as it is', async () => {
  expect(await printed(curlSnippet, 'sh', '-c')).toBe(`${pages.join('\n')}\n`)
})

test('the TypeScript prints the NFTs of every page', async () => {
  const options = ['--input-type=module-typescript', '--eval']
  const stdout = await printed(typescriptSnippet, process.execPath, ...options)
  expect(stdout.match(/tokenId: '\d'/g)).toEqual(["tokenId: '1'", "tokenId: '2'"])
})
