import { describe, expect, test } from 'vitest'
import { type Call, urlOf } from '../../../dashboard/views/try-it/call.ts'
import { snippetLanguages } from '../../../dashboard/views/try-it/snippets.ts'

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
