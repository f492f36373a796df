import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { createWorld } from '../../local/indexer/world.ts'
import { startLambdaHost } from '../../local/lambda/lambda-host.ts'
import { numbers } from '../../local/samples/samples.ts'
import { cursorSealOf } from '../support/requests/cursor-seal.ts'
import { forRequests } from '../support/requests/generated-requests.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { anyText } from '../support/vitest/seeded.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)
const { cursors, productOf, tieOf } = cursorSealOf(service)
const host = startLambdaHost({ functions: service.stack.functions, log: () => undefined })
afterAll(() => host.close())

const generated = Number(process.env['GENERATED_REQUESTS'] ?? 120)

const longText = fc
  .tuple(anyText(3), fc.integer({ min: 1, max: 2_600 }))
  .map(([text, length]) => text.repeat(length).slice(0, length))
const texts = fc.oneof(fc.constantFrom('0', '1', '-1', '99', '1e3', 'NaN', ''), longText)
const mostly = <Value>(usual: Value, odd: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd })
const counts = mostly(1, fc.constantFrom(0, 99, -1, 0.5, 1e15, 1e300))
const marks = mostly('AAAAAAAA', fc.constantFrom('', 'AAAA', 'A'.repeat(800)))

/** What a cursor of another version might contain: every part of any form. */
const contents = fc.record(
  {
    source: mostly(0, counts),
    pageKey: texts,
    returned: fc.array(marks, { maxLength: 3 }),
    progress: fc.record({
      pages: counts,
      emptyPages: counts,
      nfts: counts,
      announced: counts,
      anchor: marks,
    }),
    kept: fc.constantFrom('1', '01', '2', ''),
    isStale: fc.boolean(),
  },
  { requiredKeys: ['source', 'returned'] },
)

test('D39: a cursor of another version, authenticated by the same key, is no 500', {
  timeout: 900_000,
}, async () => {
  const [address, wallets] = [newAddress(), [newAddress()]]
  ownedBy(world, { network: 'polygon-mainnet', address }, wallets[0] ?? '', numbers(1, 250))
  const contract = { chain: 'POLYGON', address, tokenIds: numbers(1, 250) }
  const [apiKey, player] = [await productWith(service, contract), await service.newPlayer(wallets)]
  const { playerToken, userId } = player
  const query = { chains: 'POLYGON', limit: '120' }
  const { headers, json } = await service.call('GET /player/tokens/raw', {
    apiKey,
    playerToken,
    query,
  })
  const productId = await productOf(headers.get('apigw-requestid') ?? '')
  const tie = await tieOf({ userId, wallets }, productId)
  const own = await cursors.open(json.nextCursor, tie)
  const parts = fc.tuple(
    contents,
    fc.subarray(['source', 'pageKey', 'returned', 'progress'] as const),
  )
  const positions = parts.map(([content, kept]) => ({
    ...content,
    ...Object.fromEntries(kept.map((name) => [name, own?.[name]])),
    expiresAt: Date.now() + 3_600_000,
  }))
  const statuses = new Set<string>()
  await forRequests(positions, generated, async (position) => {
    const cursor = await cursors.seal(position as never, tie)
    const request = { apiKey, playerToken, query: { ...query, cursor } }
    const answer = await invokeFunction(host, 'getRawMetadata', request)
    if (answer.status === 500) throw new Error(answer.text)
    statuses.add(`${answer.status} ${answer.json.code ?? ''}`)
  })
  expect([...statuses].sort()).toEqual([
    '200 ',
    '400 cursor_expired',
    '400 invalid_request',
    '503 indexer_unavailable',
  ])
})
