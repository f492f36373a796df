import { afterAll, describe, expect, test } from 'vitest'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { createWorld } from '../../local/indexer/world.ts'
import { numbers } from '../../local/samples/samples.ts'
import {
  entriesOf,
  productWith,
  readThrough,
  type ToAllowlist,
} from '../support/requests/reading.ts'
import { startOwnService, startTestIndexer } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const world = createWorld()
const indexer = await startTestIndexer(world, afterAll)
const service = await startOwnService({ INDEXER_URL: indexer.url }, afterAll)

/** The largest response that Lambda accepts: its body escaped as a JSON string. */
const lambdaBytes = 6_000_000
const mebibyte = 1_048_576

/** A document of exactly this number of bytes, filled with `unit`. */
function documentOf(tokenId: string, bytes: number, unit = 'x'): string {
  const [before, after] = [`{"name":"${tokenId}","filling":"`, '"}']
  const room = bytes - Buffer.byteLength(before + after)
  const filling = unit.repeat(Math.floor(room / Buffer.byteLength(unit)))
  return before + filling + 'x'.repeat(room - Buffer.byteLength(filling)) + after
}

/** A contract whose tokens 1 to `count` are all in the wallet. */
function contractOf(
  wallet: string,
  count: number,
  metadata: (tokenId: string) => string,
): ToAllowlist {
  const contract = { network: 'polygon-mainnet', address: newAddress() } as const
  const tokenIds = numbers(1, count)
  ownedBy(world, contract, wallet, tokenIds, { metadata })
  return { chain: 'POLYGON', address: contract.address, tokenIds }
}

/** Reads all NFTs of a contract in a wallet; each response must fit Lambda's limit. */
async function readAll(path: string, wallet: string, contract: ToAllowlist) {
  const apiKey = await productWith(service, contract)
  const { playerToken } = await service.newPlayer([wallet])
  const answers = await readThrough(service, path, { apiKey, playerToken })
  for (const { text } of answers) {
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(lambdaBytes)
  }
  const tokenIds = entriesOf(answers).map(({ tokenId }) => tokenId)
  expect(tokenIds).toEqual(contract.tokenIds)
  return answers.map(({ json }) => json.data.length)
}

describe('D25: an answer ends early at 5 MB', () => {
  const wallet = newAddress()

  test('responses with metadata of 1 MiB each have four NFTs, and the last completes the list', async () => {
    const contract = contractOf(wallet, 10, (tokenId) => documentOf(tokenId, mebibyte))
    expect(await readAll('GET /player/tokens/raw', wallet, contract)).toEqual([4, 4, 2])
  })

  test('quotes and backslashes count twice, as Lambda counts them', async () => {
    const contract = contractOf(wallet, 5, (tokenId) => documentOf(tokenId, mebibyte, '\\"'))
    expect(await readAll('GET /player/tokens/raw', wallet, contract)).toEqual([2, 2, 1])
  })

  test('characters count as their UTF-8 bytes', async () => {
    const contract = contractOf(wallet, 10, (tokenId) => documentOf(tokenId, 600_000, '提'))
    expect(await readAll('GET /player/tokens/raw', wallet, contract)).toEqual([8, 2])
  })

  test('members that structured metadata omits do not count', async () => {
    const contract = contractOf(wallet, 10, (tokenId) => documentOf(tokenId, mebibyte))
    expect(await readAll('GET /player/tokens', wallet, contract)).toEqual([10])
  })

  test('members of structured metadata count', async () => {
    const contract = contractOf(
      wallet,
      7,
      (tokenId) => `{"name":"${tokenId}","description":"${'d'.repeat(1_000_000)}"}`,
    )
    expect(await readAll('GET /player/tokens', wallet, contract)).toEqual([4, 3])
  })

  test('small documents do not shorten a response: 1,000 NFTs are read at once', async () => {
    const contract = contractOf(wallet, 1_000, (tokenId) => documentOf(tokenId, 4_000))
    expect(await readAll('GET /player/tokens/raw', wallet, contract)).toEqual([1_000])
  })
})
