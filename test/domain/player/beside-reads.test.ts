import { expect, test } from 'vitest'
import { beginPlayerNfts } from '../../../lib/domain/player/player-nfts-beginning.ts'
import type { ContractRead } from '../../../lib/domain/ports/contract-use.ts'
import { keptPorts } from '../../support/kept-model/kept-ports.ts'
import { emptyMemory } from '../../support/memory/memory-ports.ts'
import {
  addressOf,
  allow,
  connect,
  nft,
  owned,
  pagedIndexer,
  productId,
  readerOf,
} from '../../support/memory/owned-nfts.ts'

const wallets = [0xa, 0xb].map(addressOf)
const player = { userId: 42, username: 'neo', wallets }

/** A reader of four contracts of a product, of which the first is kept, the second one is not, and one is on another chain. */
function reader() {
  const nfts = [nft(1, 1), nft(1, 2), nft(1, 3), nft(1, 4, 'BSC')]
  const memory = emptyMemory()
  connect(memory, nfts)
  allow(memory, nfts)
  const noted: ContractRead[][] = []
  const keeping = {
    ...keptPorts(
      nfts.slice(0, 1),
      nfts.map((each) => owned(each, addressOf(0xa))),
      Date.now(),
    ),
    keptContracts: 2,
    notedReads: { note: (reads: readonly ContractRead[]) => void noted.push([...reads]) },
  }
  const holdings = nfts.map((each) => owned(each, addressOf(0xa)))
  const { read } = readerOf(memory, pagedIndexer(holdings), 100, keeping)
  return { read, noted }
}

const address = (number: number) => ({ contract: { chain: 'POLYGON', address: addressOf(number) } })

test('D153: a read is noted of the first contracts on the chains on which contracts are kept, with one of its wallets', async () => {
  const { read, noted } = reader()
  await read({ player })
  expect(noted).toMatchObject([
    [
      { ...address(1), productId, isUnknown: false },
      { ...address(2), productId, isUnknown: true },
    ],
  ])
  expect(noted.flat().every(({ wallet }) => wallets.includes(wallet))).toBe(true)
})

test('D153: a read that asks for everything is noted, too, and nothing is said of what is unknown', async () => {
  const { read, noted } = reader()
  await read({ player, acceptedAge: { refusesKept: true } })
  expect(noted).toMatchObject([[{ isUnknown: false }, { isUnknown: false }]])
})

test('D153: a page of a cursor, and a read of other chains or of a player without a wallet, is not noted', async () => {
  const { read, noted } = reader()
  const { nextCursor } = await read({ player, limit: 1 })
  noted.length = 0
  await read({ player, cursor: nextCursor })
  await read({ player, chains: ['BSC'] })
  await read({ player: { ...player, wallets: [] } })
  expect(noted).toEqual([])
})

test.each([
  ['the indexer is prepared if nothing is kept', false, {}, ['prepare']],
  [
    'the indexer is prepared if the caller accepts nothing',
    true,
    { refusesKept: true },
    ['prepare'],
  ],
  [
    'positions are read if what is kept can answer',
    true,
    {},
    ['position of POLYGON', 'entries of product 42'],
  ],
])('D156: beside the reads of a request, %s', async (_, isKeeping, acceptedAge, begins) => {
  const begun: string[] = []
  const { keptChains, keptHoldings } = keptPorts([nft(1)], [], 0)
  const position: typeof keptHoldings.position = async (chain) => {
    begun.push(`position of ${chain}`)
    throw new Error('not needed')
  }
  const { positions } = beginPlayerNfts(
    { productId, userId: 42, acceptedAge },
    {
      contracts: { list: async () => [] },
      allowedTokenIds: {
        expected: (name) => {
          begun.push(`entries of ${name}`)
          return async () => []
        },
      },
      ...(isKeeping && { keeping: { keptChains, keptHoldings: { ...keptHoldings, position } } }),
      indexer: { prepare: () => begun.push('prepare') },
    },
  )
  expect(begun).toEqual(begins)
  expect([...(positions?.keys() ?? [])]).toEqual(begins.includes('prepare') ? [] : ['POLYGON'])
})
