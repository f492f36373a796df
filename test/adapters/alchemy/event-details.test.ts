import { describe, expect, test } from 'vitest'
import { largestTokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { contract, stubIndexer } from './alchemy-stub.ts'
import {
  alice,
  askEvents,
  bob,
  entry,
  hash,
  operator,
  rpc,
  tokenId,
  topics,
  transfer,
  word,
  zero,
} from './rpc-json.ts'

/** The details of an entry of the event log. */
async function detailsOf(members: object) {
  const { chainEvents } = await stubIndexer(rpc([entry(members)]))
  const [event] = await askEvents(chainEvents)
  expect(event).toMatchObject({ contract, index: 2 })
  return event?.details
}

const contentOf = async (members: object) => (await detailsOf(members))?.content

const between = { kind: 'transfer', from: alice, to: bob } as const
const data = (...words: string[]) => `0x${words.map((each) => each.slice(2)).join('')}`
const largest = word(largestTokenId.toString(16))
const range = [topics.ConsecutiveTransfer, tokenId, word(alice), word(bob)]
const single = [topics.TransferSingle, operator, word(alice), word(bob)]
const batch = [topics.TransferBatch, ...single.slice(1)]

describe('D117: what an event says', () => {
  test.each([
    ['of ERC-721', transfer, [], [['3', '1']]],
    ['of ERC-1155', single, ['7', 'c'], [['7', '12']]],
    [
      'of a batch',
      batch,
      ['40', 'a0', '2', '7', largest, '2', '1', '2'],
      [
        ['7', '1'],
        [`${largestTokenId}`, '2'],
      ],
    ],
    ['of a batch of nothing', batch, ['40', '60', '0', '0'], []],
  ])('is the transfer %s', async (_, indexed, words, moved) => {
    const tokens = moved.map(([tokenId, amount]) => ({ tokenId, amount }))
    const event = { topics: indexed, data: data(...words.map(word)) }
    expect(await contentOf(event)).toEqual({ ...between, tokens })
  })

  test.each([
    ['to another identifier', largest, `${largestTokenId}`],
    ['of one NFT', tokenId, '3'],
  ])(
    'D151: is the transfer of a range %s, which names both ends and no NFT',
    async (_, last, toTokenId) => {
      expect(await contentOf({ topics: range, data: data(last) })).toEqual({
        ...between,
        tokens: [],
        range: { fromTokenId: '3', toTokenId },
      })
    },
  )

  test.each([
    ['an NFT that is minted', [zero, word(bob)], null, bob],
    ['an NFT that is burned', [word(alice), zero], alice, null],
    ['digits before an address', [`0x${'f'.repeat(24)}${alice.slice(2)}`, word(bob)], alice, bob],
  ])('with %s', async (_, parties, from, to) => {
    const content = await contentOf({ topics: [topics.Transfer, ...parties, tokenId] })
    expect(content).toMatchObject({ from, to })
  })

  test('is the transfer of a contract from before the standard, which indexes nothing', async () => {
    const content = await contentOf({
      topics: [topics.Transfer],
      data: data(word(alice), word(bob), word('9')),
    })
    expect(content).toEqual({ ...between, tokens: [{ tokenId: '9', amount: '1' }] })
  })

  test.each([
    ['of one NFT', [topics.MetadataUpdate], ['7'], '7'],
    ['of many', [topics.BatchMetadataUpdate], ['7', '5a'], '90'],
    ['with an indexed identifier', [topics.MetadataUpdate, word('7')], [], '7'],
  ])('is new metadata %s', async (_, indexed, words, toTokenId) => {
    const event = { topics: indexed, data: data(...words.map(word)) }
    expect(await contentOf(event)).toEqual({ kind: 'metadata', fromTokenId: '7', toTokenId })
  })
})

describe('the standard of an event', () => {
  test.each([
    ['Transfer', { topics: transfer }, 'ERC721'],
    ['Transfer without indexed arguments', { topics: transfer.slice(0, 1) }, 'ERC721'],
    ['Transfer with malformed data', { topics: transfer, data: '0x1' }, 'ERC721'],
    ['ConsecutiveTransfer', { topics: range, data: data(largest) }, 'ERC721'],
    ['TransferSingle', { topics: [topics.TransferSingle] }, 'ERC1155'],
    ['TransferBatch', { topics: [topics.TransferBatch] }, 'ERC1155'],
    ['MetadataUpdate', { topics: [topics.MetadataUpdate] }, undefined],
    ['BatchMetadataUpdate', { topics: [topics.BatchMetadataUpdate] }, undefined],
  ])('%s', async (_, event, standard) => {
    expect((await detailsOf(event))?.standard).toBe(standard)
  })
})

describe('D117: malformed data of a contract stops nothing, and says nothing', () => {
  const one = [word('1'), word('7')]
  const twoArrays = data(word('40'), word('80'), ...one, ...one)

  test.each([
    [
      'a transfer with two topics',
      { topics: [topics.Transfer, word(alice)], data: data(word(bob), word('9')) },
    ],
    [
      'a transfer without an identifier',
      { topics: [topics.Transfer], data: data(word(alice), word(bob)) },
    ],
    ['a transfer with more data', { topics: transfer, data: data(word('1')) }],
    ['a transfer with five topics', { topics: [...transfer, tokenId] }],
    ['a range with three topics', { topics: range.slice(0, 3), data: data(largest) }],
    ['a single transfer with three topics', { topics: single.slice(0, 3), data: data(...one) }],
    ['a batch with five topics', { topics: [...batch, tokenId], data: twoArrays }],
    ['half a word', { topics: batch, data: '0x123' }],
    ['no hexadecimal digits', { topics: [topics.MetadataUpdate], data: `0x${'zz'.repeat(32)}` }],
    ['data that is a number', { topics: [topics.MetadataUpdate], data: 7 }],
    ['no data', { topics: [topics.MetadataUpdate], data: undefined }],
    ['a range to a lower identifier', { topics: range, data: data(word('2')) }],
    ['a range without an end', { topics: range, data: '0x' }],
    ['a single transfer without an amount', { topics: single, data: data(word('7')) }],
    [
      'a batch with fewer amounts',
      { topics: batch, data: data(word('40'), word('80'), ...one, word('0')) },
    ],
    ['a batch without arrays', { topics: batch, data: data(word('40'), word('80')) }],
    ['an offset behind the data', { topics: batch, data: data(largest, word('40'), ...one) }],
    ['an offset inside a word', { topics: batch, data: data(word('41'), word('41'), ...one) }],
    [
      'a length that the data does not have',
      { topics: batch, data: data(word('40'), word('40'), largest, word('7')) },
    ],
    [
      'metadata from a higher to a lower identifier',
      { topics: [topics.BatchMetadataUpdate], data: data(word('9'), word('7')) },
    ],
    [
      'metadata with three identifiers',
      { topics: [topics.BatchMetadataUpdate], data: data(...one, word('9')) },
    ],
  ])('%s', async (_, members) => {
    expect(await contentOf(members)).toBeUndefined()
  })
})

describe('D117: with the details', () => {
  test('are the transaction, and the time of the block if the source states it', async () => {
    const log = [
      entry({ blockTimestamp: '0x6a000000' }),
      entry({ blockTimestamp: null, logIndex: '0x3' }),
    ]
    const { chainEvents } = await stubIndexer(rpc(log))
    const [stated, other] = await askEvents(chainEvents)
    expect(stated?.block).toEqual({ number: 100, hash, at: 0x6a000000 * 1_000 })
    expect(stated?.details.transactionHash).toBe(word('7'))
    expect(other?.block.at).toBeUndefined()
  })

  test('and without a transaction the answer is malformed', async () => {
    const { chainEvents } = await stubIndexer(rpc([entry({ transactionHash: undefined })]))
    await expect(askEvents(chainEvents)).rejects.toThrow(IndexerUnavailable)
  })
})
