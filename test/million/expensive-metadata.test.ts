import { setSource } from '@player-nfts/local/indexer/metadata-cache'
import { createWorld } from '@player-nfts/local/indexer/world'
import { afterAll, expect, test } from 'vitest'
import { putDocuments } from '../support/data/json-documents.ts'
import { entriesOf, productWith } from '../support/requests/reading.ts'
import { sizeCheckedCalls } from '../support/requests/size-checked-calls.ts'
import { startContainers } from '../support/services/containers.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)
const host = startContainers(service.stack.functions)
const { call, readAll } = sizeCheckedCalls(service, host)

const mebibyte = 1_048_576

/** A document of at most 1 MiB: as many of the units as fit between its start and its end. */
function filled(before: string, unitOf: (index: number) => string, after: string): string {
  const parts = [before]
  let room = mebibyte - Buffer.byteLength(before + after)
  for (let index = 0; ; index += 1) {
    const part = unitOf(index)
    room -= Buffer.byteLength(part)
    if (room < 0) return [...parts, after].join('')
    parts.push(part)
  }
}

/** Characters in JSON notation that are large in a response, and larger in Lambda's encoding. */
const quotes = () => '\\"\\\\'
const controls = () => '\\u0000\\ud800'
const letters = () => '提'

/** The shortest possible names for this number of different values. */
const shortName = (index: number) => index.toString(36).padStart(4, '-')

/** Documents that are expensive in their raw form, each with a count that exceeds one response. */
const expensiveRaw: [title: string, document: string, count: number][] = [
  ['quotes and backslashes', filled('{"description":"', quotes, '"}'), 3],
  ['control characters and lone surrogates', filled('{"description":"', controls, '"}'), 5],
  ['white space', filled('{"name":"a"', () => '\n', '}'), 3],
  ['nothing but empty texts', filled('{"a":[""', () => ',""', ']}'), 4],
  ['other scripts', filled('{"description":"', letters, '"}'), 6],
]

/** Documents that are expensive in structured form. */
const expensiveStructured: typeof expensiveRaw = [
  ['quotes and backslashes', filled('{"description":"', quotes, '"}'), 3],
  ['control characters and lone surrogates', filled('{"name":"', controls, '"}'), 5],
  ['quotes in an image', filled('{"image":"data:image/svg+xml,', () => '\\"', '"}'), 3],
  ['markup of an image', filled('{"image_data":"<svg>', () => '<', '"}'), 2],
  ['quotes in a value that is no text', filled('{"attributes":{"a":["', quotes, '"]}}'), 2],
  ['many short attributes', filled('{"attributes":{', (i) => `"${shortName(i)}":1,`, '"":0}}'), 2],
]

/** A link of the maximum length, consisting of quotes. */
const expensiveLink = `https://dear.example/${'"'.repeat(131_000)}`

const forms = [
  ...expensiveRaw.map((documents) => ['getRawMetadata', {}, ...documents] as const),
  ...expensiveRaw.map(
    (documents) => ['getRawMetadata', { rawMetadata: 'text' }, ...documents] as const,
  ),
  ...expensiveStructured.map((documents) => ['getStructuredMetadata', {}, ...documents] as const),
]

test.each(forms)(
  'D25: a player’s NFTs never exceed the limit of Lambda: %s %j of documents of 1 MiB: %s',
  async (id, query, _, metadata, count) => {
    const wallet = newAddress()
    const documents = Array.from({ length: count }, () => ({ metadata }))
    const contract = putDocuments(world, wallet, documents, () => expensiveLink)
    const apiKey = await productWith(service, contract)
    const { playerToken } = await service.newPlayer([wallet])
    const answers = await readAll(id, { apiKey, playerToken, query })
    expect(answers.length).toBeGreaterThan(1)
    expect(entriesOf(answers).map(({ tokenId }) => tokenId)).toEqual(contract.tokenIds)
  },
)

test.each(expensiveRaw)(
  'D31: a refresh never exceeds the limit of Lambda: documents of 1 MiB: %s',
  async (_, metadata, count) => {
    const documents = Array.from({ length: count }, () => ({ metadata: '{}' }))
    const contract = putDocuments(world, newAddress(), documents, () => expensiveLink)
    for (const tokenId of contract.tokenIds) {
      const nft = { network: 'polygon-mainnet', address: contract.address, tokenId } as const
      setSource(world, nft, { metadata })
    }
    const apiKey = await productWith(service, contract)
    const body = { smartContract: contract.address }
    const { data } = (await call('refreshMetadata', { apiKey, body })).json
    expect(data).toMatchObject({ checked: count, changed: count })
    expect(data.tokens.length + data.omitted).toBe(count)
    expect(data.tokens.length).toBeGreaterThan(0)
  },
)
