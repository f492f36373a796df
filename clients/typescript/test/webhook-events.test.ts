import { expect, test } from 'vitest'
import { AbortedError, webhookEvents } from '../src/index.ts'

/** A service that answers with so many pages after which there is more, and then with others. */
function clientWith(more: number) {
  const requests: unknown[] = []
  const getWebhookEvents = async (params: object) => {
    requests.push(params)
    const hasMore = requests.length <= more
    return { events: [], cursor: `${requests.length}`, hasMore, notFollowed: [] }
  }
  return { client: { getWebhookEvents } as never, requests }
}

/** A pause that no test waits for. */
const pauseMs = 3_600_000

test('D119: the loop goes on with each cursor, at once if there is more', async () => {
  const { client, requests } = clientWith(3)
  const cursors: string[] = []
  for await (const { cursor } of webhookEvents(client, {
    since: '2026-01-01T00:00:00Z',
    pauseMs,
  })) {
    cursors.push(cursor)
    if (cursors.length === 4) break
  }
  expect(cursors).toEqual(['1', '2', '3', '4'])
  expect(requests).toEqual([
    { since: '2026-01-01T00:00:00Z' },
    ...['1', '2', '3'].map((cursor) => ({ cursor })),
  ])
})

test('D119: the loop begins with the cursor that was stored, and waits if there is no more, until it is aborted', async () => {
  const { client, requests } = clientWith(0)
  const controller = new AbortController()
  const { signal } = controller
  const pages = webhookEvents(client, { cursor: 'stored', pauseMs, signal })
  await pages.next()
  const next = pages.next()
  controller.abort()
  await expect(next).rejects.toBeInstanceOf(AbortedError)
  expect(requests).toEqual([{ cursor: 'stored' }])
})

test('D119: the loop goes on after its pause', async () => {
  const { client, requests } = clientWith(0)
  const pages = webhookEvents(client, { pauseMs: 1 })
  await pages.next()
  await pages.next()
  expect(requests).toEqual([{ since: undefined }, { cursor: '1' }])
})
