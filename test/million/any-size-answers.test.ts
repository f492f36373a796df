import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { renderRaw, renderStructured } from '../../lib/contract/nft-entries.ts'
import type { OwnedNft } from '../../lib/domain/nft/owned-nft.ts'
import { writeJson } from '../../lib/json/verbatim-json.ts'
import { addressOf } from '../../simulation/memory-chain.ts'
import { objectText } from '../support/data/json-documents.ts'
import { nft, owned } from '../support/memory/owned-nfts.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import { entriesOf } from '../support/requests/reading.ts'
import { sizeCheckedCalls } from '../support/requests/size-checked-calls.ts'
import { startContainers } from '../support/services/containers.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { anyText, check } from '../support/vitest/seeded.ts'

test('D25: the counted size of an entry is its size in the response, to the byte', () => {
  const gateways = { ipfs: 'https://ipfs.example/', arweave: 'https://arweave.example/' }
  const carried = (data: unknown) =>
    Buffer.byteLength(JSON.stringify(writeJson({ data, success: true })))
  check(
    fc.property(fc.array(fc.tuple(objectText, anyText())), (documents) => {
      const nfts = documents.map(([text, metadataLink], index) => {
        return { ...owned(nft(index), addressOf(index)), metadataLink, metadata: { text } }
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

describe('D16, D18: an allowlist never exceeds the limit of Lambda', async () => {
  const service = await startOwnService({}, afterAll)
  const host = startContainers(service.stack.functions)
  const { call, readAll } = sizeCheckedCalls(service, host)
  /** The longest possible identifiers. */
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
