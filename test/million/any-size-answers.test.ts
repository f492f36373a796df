import { setSource } from '@player-nfts/local/indexer/metadata-cache'
import { createWorld } from '@player-nfts/local/indexer/world'
import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { renderRaw, renderStructured } from '../../lib/contract/nft-entries.ts'
import type { OwnedNft } from '../../lib/domain/nft/owned-nft.ts'
import { writeJson } from '../../lib/json/verbatim-json.ts'
import { addressOf } from '../../simulation/memory-chain.ts'
import { putDocuments } from '../support/data/json-documents.ts'
import { nft, owned } from '../support/memory/owned-nfts.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { entriesOf, productWith, readThrough } from '../support/requests/reading.ts'
import { startContainers } from '../support/services/containers.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { anyText, check } from '../support/vitest/seeded.ts'

test('D25: the counted size of an entry is its size in the response, to the byte', () => {
  const gateways = { ipfs: 'https://ipfs.example/', arweave: 'https://arweave.example/' }
  const carried = (data: unknown) =>
    Buffer.byteLength(JSON.stringify(writeJson({ data, success: true })))
  const document = fc.record({
    value: fc.dictionary(anyText(), fc.oneof(anyText(), fc.jsonValue())),
    indent: fc.constantFrom('', '\t'),
    metadataLink: anyText(),
  })
  check(
    fc.property(fc.array(document), (documents) => {
      const nfts = documents.map(({ value, indent, metadataLink }, index) => {
        const metadata = { text: JSON.stringify(value, null, indent) }
        return { ...owned(nft(index), addressOf(index)), metadataLink, metadata }
      })
      for (const render of [renderRaw, (one: OwnedNft) => renderStructured(one, gateways)]) {
        const entries = nfts.map(render)
        const counted = entries.reduce((sum, { size }) => sum + size, 0)
        const [quotes, commas] = [2 * nfts.length, Math.max(0, nfts.length - 1)]
        const data = entries.map(({ entry }) => entry)
        expect(carried(data)).toBe(carried([]) + counted - quotes + commas)
      }
    }),
  )
})

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)
const host = startContainers(service.stack.functions)

/**
 * The maximum size of a response in Lambda, in bytes of the JSON that the function returns: the body is
 * a string in it, and is therefore escaped once more.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxLambdaBytes = 6_291_556

/** Calls a function like API Gateway, and expects that the response fits Lambda's limit. */
async function call(id: OperationId, sent: Sent) {
  let carried = 0
  const measured: LambdaHost = {
    ...host,
    async invoke(name, event) {
      const result = await host.invoke(name, event)
      carried = Buffer.byteLength(result.ok ? result.payload : '')
      return result
    },
  }
  const answer = await invokeFunction(measured, id, sent)
  expect(carried).toBeGreaterThan(answer.text.length)
  expect(carried).toBeLessThanOrEqual(maxLambdaBytes)
  return answer
}

/** Follows `nextCursor` to the last response, and returns all responses. */
const readAll = (id: OperationId, sent: Sent) =>
  readThrough({ ...service, call: (_, next = {}) => call(id, next) }, id, sent)

describe('D16, D18: an allowlist never exceeds the limit of Lambda', () => {
  const tokens = Array.from(
    { length: 10_000 },
    (_, index) => `${(1n << 256n) - 10_000n + BigInt(index)}`,
  )
  const contract = { contractAddress: newAddress(), chain: 'POLYGON' }

  test('a response with 10,000 of the longest token identifiers', async () => {
    const apiKey = await service.newProduct()
    const body = allowlistingBody({ ...contract, tokens })
    const answers = [
      await call('allowlistNfts', { apiKey, body }),
      ...(await readAll('getAllowedNfts', { apiKey })),
    ]
    expect(answers.map((answer) => answer.json.data.length)).toEqual([10_000, 10_000])
    expect(entriesOf(answers).map(({ tokenId }) => tokenId)).toEqual([...tokens, ...tokens])
  })

  test('D35: a response to 10,000 malformed identifiers', async () => {
    const body = allowlistingBody({ ...contract, tokens: tokens.map(() => '"') })
    const answer = await call('allowlistNfts', { apiKey: await service.newProduct(), body })
    expect(answer.json).toMatchObject({ code: 'invalid_request' })
    expect(answer.json.errors).toHaveLength(100)
    expect(answer.json.detail).toContain('10000')
  })
})

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
