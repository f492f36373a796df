import { expect, test } from 'vitest'
import { PlayerNfts } from '../../clients/typescript/src/client.ts'
import { readListCursor } from '../../lib/contract/list-cursors.ts'
import { serve } from '../../test/support/services/http-server.ts'
import { PagedList } from '../shell/paged-list.ts'
import { cursorBefore } from '../views/nfts/nft-pages.ts'

/** A list whose pages a server answers, by their cursors: identifiers, the next cursor, or a code of a failure. */
async function listWith(pages: Record<string, { ids: string[]; next?: string } | string>) {
  const requests: string[] = []
  const baseUrl = await serve((request, response) => {
    const cursor = new URL(request.url ?? '', 'http://a').searchParams.get('cursor') ?? ''
    requests.push(cursor)
    const page = pages[cursor] ?? 'invalid_request'
    if (typeof page === 'string') {
      response.writeHead(400, { 'content-type': 'application/problem+json' })
      response.end(JSON.stringify({ success: false, status: 400, code: page, detail: page }))
      return
    }
    const data = page.ids.map((tokenId) => ({ tokenId }))
    const nextCursor = page.next && { nextCursor: page.next }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data, success: true, ...nextCursor }))
  })
  const client = new PlayerNfts({ baseUrl, apiKey: 'key' })
  const read = (cursor: string | undefined, signal: AbortSignal) =>
    client.getNfts({ cursor }, { signal }).page()
  const list = new PagedList(read, undefined, () => undefined)
  return { list, requests, pages, ids: () => list.state.entries.map(({ tokenId }) => tokenId) }
}

test('D60: pages are loaded on request, and empty pages are not the end', async () => {
  const { list, requests, ids } = await listWith({
    '': { ids: ['1', '2'], next: 'a' },
    a: { ids: [], next: 'b' },
    b: { ids: ['3'] },
  })
  await list.reload()
  expect({ requests, ids: ids() }).toEqual({ requests: [''], ids: ['1', '2'] })
  await list.loadMore()
  expect({ ids: ids(), isComplete: list.state.isComplete }).toEqual({
    ids: ['1', '2', '3'],
    isComplete: true,
  })
  await list.loadMore()
  expect(requests).toEqual(['', 'a', 'b'])
})

test('a list begins anew when a cursor has expired', async () => {
  const { list, requests, ids } = await listWith({
    '': { ids: ['1'], next: 'a' },
    a: 'cursor_expired',
  })
  await list.reload()
  await list.loadMore()
  expect({ ids: ids(), hasRestarted: list.state.hasRestarted }).toEqual({
    ids: ['1'],
    hasRestarted: true,
  })
  expect(requests).toEqual(['', 'a', ''])
})

test('a failure keeps what is loaded, and only a retry asks again', async () => {
  const { list, requests, pages, ids } = await listWith({
    '': { ids: ['1'], next: 'a' },
    a: 'invalid_request',
  })
  await list.reload()
  await list.loadMore()
  await list.loadMore()
  expect({ requests, ids: ids() }).toEqual({ requests: ['', 'a'], ids: ['1'] })
  pages['a'] = { ids: ['2'] }
  await list.retry()
  expect({ error: list.state.error, ids: ids() }).toEqual({ error: undefined, ids: ['1', '2'] })
})

test('pages with changed NFTs are read again', async () => {
  const { list, requests, pages, ids } = await listWith({
    '': { ids: ['1'], next: 'a' },
    a: { ids: ['2', '3'] },
  })
  await list.reload()
  await list.loadMore()
  pages['a'] = { ids: ['2', '4'] }
  const read = await list.reread(({ tokenId }) => tokenId === '3', new AbortController().signal)
  expect(read.map(({ tokenId }) => tokenId)).toEqual(['2', '4'])
  expect({ requests, ids: ids() }).toEqual({ requests: ['', 'a', 'a'], ids: ['1', '2', '4'] })
  list.remove(({ tokenId }) => ['1', '4'].includes(tokenId))
  expect(ids()).toEqual(['2'])
})

test('D18: a list can begin before any identifier', () => {
  const address = '0x22d518c449312143be64cd547c510a1a4ebed207'
  const largest = 2n ** 256n - 1n
  for (const id of [1n, 17n, largest]) {
    const cursor = cursorBefore('POLYGON', address, String(id)) as string
    expect(readListCursor(cursor)).toEqual({ chain: 'POLYGON', address, tokenId: String(id - 1n) })
  }
  expect(cursorBefore('POLYGON', address, '0')).toBeUndefined()
})
