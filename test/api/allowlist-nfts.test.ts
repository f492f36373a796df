import { describe, expect, test } from 'vitest'
import { numbers } from '../../local/samples/samples.ts'
import {
  allowedNfts,
  allowedTokenIds,
  allowlist,
  allowlistingBody,
} from '../support/requests/allowlists.ts'
import { expectProblem, pathsOf } from '../support/requests/problem.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

/** An address with a known EIP-55 form, from the examples in EIP-55. */
const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const largest = (2n ** 256n - 1n).toString()

const send = async (apiKey: string, changes: object) =>
  await call('POST /product/tokens', {
    apiKey,
    body: allowlistingBody({ contractAddress: newAddress(), ...changes }),
  })

/** Sends a request with these changes and returns the invalid fields of the response. */
const faultsOf = async (changes: object) =>
  expectProblem(await send(await newProduct(), changes), 'invalid_request')

/** Sends a request with these changes and returns the token identifiers of the response. */
async function answeredFor(tokens: readonly unknown[]): Promise<string[]> {
  const { json } = await send(await newProduct(), { tokens })
  return json.data.map(({ tokenId }: { tokenId: string }) => tokenId)
}

describe('4.3 Allowlist contract and NFTs', () => {
  test('returns one entry for each token identifier, with the contract and the chain', async () => {
    const contractAddress = newAddress()
    const allowlisting = { contractAddress, chain: 'BSC', tokens: ['7', '3'] }
    expect(await allowlist(call, await newProduct(), allowlisting)).toEqual([
      { tokenId: '7', address: contractAddress, chain: 'BSC' },
      { tokenId: '3', address: contractAddress, chain: 'BSC' },
    ])
  })

  test('D17: a second call adds the new NFTs and returns the requested NFTs', async () => {
    const [apiKey, contractAddress] = [await newProduct(), newAddress()]
    await allowlist(call, apiKey, { contractAddress, tokens: ['1', '2'] })
    const again = { contractAddress, tokens: ['3', '2'], contractDescription: 'A new description.' }
    const entries = await allowlist(call, apiKey, again)
    expect(entries.map(({ tokenId }) => tokenId)).toEqual(['3', '2'])
    expect(await allowedTokenIds(call, apiKey)).toEqual(['1', '2', '3'])
  })

  test('D17: ten simultaneous calls store the union of their NFTs', async () => {
    const [apiKey, contractAddress] = [await newProduct(), newAddress()]
    const callers = Array.from({ length: 10 }, (_, caller) =>
      numbers(caller * 20, caller * 20 + 59),
    )
    await Promise.all(callers.map((tokens) => allowlist(call, apiKey, { contractAddress, tokens })))
    expect(await allowedTokenIds(call, apiKey)).toEqual(numbers(0, 239))
  })

  test('two products allowlist the same contract independently', async () => {
    const [mine, theirs] = [await newProduct(), await newProduct()]
    const contractAddress = newAddress()
    await allowlist(call, mine, { contractAddress, tokens: ['1'] })
    await allowlist(call, theirs, { contractAddress, tokens: ['2'] })
    expect(await allowedTokenIds(call, mine)).toEqual(['1'])
    expect(await allowedTokenIds(call, theirs)).toEqual(['2'])
  })

  test('D2: the response names every invalid field', async () => {
    const faults = await faultsOf({
      chain: 'ETHEREUM',
      contractAddress: '0x12',
      contractDescription: 'too short',
      tokens: ['1', '-1', 'two', '3'],
    })
    const paths = ['chain', 'contractAddress', 'contractDescription', 'tokens.1', 'tokens.2']
    expect(pathsOf(faults)).toEqual(paths)
  })
})

describe('4.3 The chain', () => {
  test.each([[{}], [{ chain: null }], [{ chain: '' }]])(
    'D12: an omitted or empty chain means POLYGON (%j)',
    async (changes) => {
      const { json } = await send(await newProduct(), changes)
      expect(json.data[0].chain).toBe('POLYGON')
    },
  )

  test.each(['MUMBAI', 'AMOY', 'BSC_TESTNET', 'polygon', 'Bsc', 'ETHEREUM', 137, ['BSC']])(
    'D11: %s is rejected, and the message names the open chains',
    async (chain) => {
      expect(await faultsOf({ chain })).toEqual([
        { in: 'body', path: 'chain', message: 'must be one of POLYGON, BSC' },
      ])
    },
  )
})

describe('4.3 Near misses', () => {
  test.each([
    ['chains', 'BSC', 'chain'],
    ['Chain', 'BSC', 'chain'],
    ['network', 'BSC', 'chain'],
    ['ContractAddress', newAddress(), 'contractAddress'],
    ['token', ['1'], 'tokens'],
  ])('D34: %s is rejected, and nothing is allowlisted', async (path, value, field) => {
    const apiKey = await newProduct()
    const answer = await send(apiKey, { [field]: undefined, [path]: value })
    const message = `is not a field of this operation; use ${field}`
    expect(expectProblem(answer, 'invalid_request')).toEqual([{ in: 'body', path, message }])
    expect(await allowedNfts(call, apiKey)).toEqual([])
  })
})

describe('4.3 The contract address', () => {
  test('D14: is returned in lower case, whatever its case in the request', async () => {
    const lower = checksummed.toLowerCase()
    const upper = `0x${lower.slice(2).toUpperCase()}`
    const apiKey = await newProduct()
    for (const contractAddress of [lower, upper, checksummed]) {
      const [entry] = await allowlist(call, apiKey, { contractAddress, tokens: ['1'] })
      expect(entry?.address).toBe(lower)
    }
    expect(await allowedNfts(call, apiKey)).toHaveLength(1)
  })

  test('D14: mixed case with a wrong EIP-55 checksum is rejected', async () => {
    expect(await faultsOf({ contractAddress: checksummed.replace('aA', 'Aa') })).toEqual([
      {
        in: 'body',
        path: 'contractAddress',
        message: 'has a wrong EIP-55 checksum: check for a typing error, or write it in lower case',
      },
    ])
  })

  const hex = (digits: number) => `0x${'a'.repeat(digits)}`

  test.each([
    ['2 characters', hex(0)],
    ['39 digits', hex(39)],
    ['41 digits', hex(41)],
    ['100 characters', hex(98)],
    ['no prefix', 'a'.repeat(40)],
    ['an upper-case prefix', hex(40).replace('x', 'X')],
    ['a non-hexadecimal letter', hex(39).concat('g')],
    ['a trailing space', hex(40).concat(' ')],
  ])('D14: %s is rejected as malformed', async (_, contractAddress) => {
    expect(await faultsOf({ contractAddress })).toEqual([
      { in: 'body', path: 'contractAddress', message: 'must be 0x and 40 hexadecimal digits' },
    ])
  })

  test.each([
    ['1 character', '0'],
    ['101 characters', hex(99)],
    ['no character', ''],
  ])('D14: the length is checked before the form: %s', async (_, contractAddress) => {
    expect(await faultsOf({ contractAddress })).toEqual([
      { in: 'body', path: 'contractAddress', message: 'must be 2 to 100 characters long' },
    ])
  })
})

describe('4.3 The contract description', () => {
  test.each(['x', '🏮'])('D4: has 10 to 2,000 code points (%s)', async (letter) => {
    for (const length of [10, 2000]) {
      const answer = await send(await newProduct(), { contractDescription: letter.repeat(length) })
      expect(answer.status, answer.text).toBe(200)
    }
    for (const length of [9, 2001]) {
      expect(await faultsOf({ contractDescription: letter.repeat(length) })).toEqual([
        {
          in: 'body',
          path: 'contractDescription',
          message: 'must be 10 to 2000 characters long',
        },
      ])
    }
  })

  test.each([null, '', 'Lanterns of \ud83c'])('D4: %j is rejected', async (contractDescription) => {
    expect(pathsOf(await faultsOf({ contractDescription }))).toEqual(['contractDescription'])
  })
})

describe('4.3 The token identifiers', () => {
  test('D15: decimal and hexadecimal identifiers are returned as canonical decimal text', async () => {
    const hexOfLargest = `0x${'f'.repeat(64)}`
    const forms = ['0', '007', '0x10', '0X00fF', hexOfLargest, '9007199254740993']
    const canonical = ['0', '7', '16', '255', largest, '9007199254740993']
    expect(await answeredFor(forms)).toEqual(canonical)
  })

  test('D15: an identifier has up to 100 characters, including leading zeros', async () => {
    const padded = [largest.padStart(100, '0'), `0x${'f'.padStart(98, '0')}`]
    expect(await answeredFor(padded)).toEqual([largest, '15'])
    const tooLong = padded.map((tokenId) => tokenId.replace('0', '00'))
    expect(pathsOf(await faultsOf({ tokens: tooLong }))).toEqual(['tokens.0', 'tokens.1'])
  })

  test('D15: duplicates collapse in every notation, in the order of first appearance', async () => {
    const tokens = ['30', '0x1', '2', '0x1e', '01', '2', '1']
    expect(await answeredFor(tokens)).toEqual(['30', '1', '2'])
  })

  const malformed = [
    ['-1', '+1', '1e3', '1.0', '1,0', ' 1', '1 ', ''],
    ['0x', '0xg', '1f', 'x1', '٣', '１', (2n ** 256n).toString(), `0x1${'0'.repeat(64)}`],
  ].flat()

  test('D15: malformed identifiers are rejected, and the response names their indexes', async () => {
    const tokens = malformed.flatMap((tokenId) => ['1', tokenId])
    expect(await faultsOf({ tokens })).toEqual(
      malformed.map((_, index) => ({
        in: 'body',
        path: `tokens.${index * 2 + 1}`,
        message: 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text',
      })),
    )
  })

  test('D15: a JSON number is rejected, because it may have lost digits', async () => {
    const faults = await faultsOf({ tokens: [1, '2', null, ['3'], { id: '4' }, true] })
    expect(pathsOf(faults)).toEqual(['tokens.0', 'tokens.2', 'tokens.3', 'tokens.4', 'tokens.5'])
  })

  test.each(['1', { 0: '1' }, 1, null])('D16: %j is not a list', async (tokens) => {
    expect(await faultsOf({ tokens })).toEqual([
      { in: 'body', path: 'tokens', message: 'must be a list' },
    ])
  })

  test('D16: an empty list is rejected', async () => {
    expect(await faultsOf({ tokens: [] })).toEqual([
      { in: 'body', path: 'tokens', message: 'must have at least 1 token identifier' },
    ])
  })

  test('D16: 10,000 identifiers in one call are returned and listed, each exactly once', async () => {
    const apiKey = await newProduct()
    // The longest identifiers, so that the response is also the largest in bytes.
    const tokens = Array.from({ length: 10_000 }, (_, index) =>
      String(BigInt(largest) - BigInt(index)),
    )
    const entries = await allowlist(call, apiKey, { contractAddress: newAddress(), tokens })
    expect(entries.map(({ tokenId }) => tokenId)).toEqual(tokens)
    expect(await allowedTokenIds(call, apiKey)).toEqual(tokens.toReversed())
  })

  test('D16: 10,001 identifiers are rejected, and the message names the limit', async () => {
    const message = 'must have at most 10000 token identifiers in one request'
    const faults = [{ in: 'body', path: 'tokens', message }]
    expect(await faultsOf({ tokens: numbers(1, 10_001) })).toEqual(faults)
    // The limit applies to the identifiers of the request, before duplicates collapse.
    expect(await faultsOf({ tokens: Array(10_001).fill('1') })).toEqual(faults)
  })
})
