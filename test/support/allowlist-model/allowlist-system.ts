import { expect } from 'vitest'
import type { RangeLimits } from '../../../lib/domain/allowlist/allowlist-limits.ts'
import { allowlist } from '../../../lib/domain/allowlist/allowlist-nfts.ts'
import { listAllowedNfts } from '../../../lib/domain/allowlist/list-allowed-nfts.ts'
import { listContracts } from '../../../lib/domain/allowlist/list-contracts.ts'
import {
  type AllowlistEntry,
  tokenElementText,
} from '../../../lib/domain/allowlist/token-element.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { disconnectContract } from '../../../lib/domain/allowlist/unbind-contract.ts'
import {
  removeAllowedNftList,
  removeAllowedNfts,
} from '../../../lib/domain/allowlist/unbind-nfts.ts'
import { toAddress } from '../../../lib/domain/nft/address.ts'
import type { ContractKey, Nft } from '../../../lib/domain/nft/nft.ts'
import { readPlayerNfts } from '../../../lib/domain/player/player-nfts.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { processWorkItem, type WorkPorts } from '../../../lib/domain/work/process-work-item.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { memoryCursors } from '../memory/memory-ports.ts'
import { owned } from '../memory/owned-nfts.ts'
import { type Call, type ContractSet, emptyContract, type Reply } from './allowlist-set.ts'
import { type CellSet, cells, cellsOfNumbers, elementOf, noCells } from './token-cells.ts'

/** The contracts of the model, in the order of D18. */
export const contractKeys: readonly ContractKey[] = [
  { chain: 'BSC', address: addressOf(2) },
  { chain: 'POLYGON', address: addressOf(1) },
]

/** The domain over some ports, as one product uses it. */
export interface AllowlistSystem {
  productId: ProductId
  limits: RangeLimits
  /** Every message that was sent; each can be delivered several times. */
  messages: readonly ProductWork[]
  ports: WorkPorts
}

const never = Number.POSITIVE_INFINITY

/** Makes a call with these ports, which may be those of {@link AllowlistSystem} with interruptions. */
export async function perform(
  { productId, limits, messages }: AllowlistSystem,
  call: Call,
  workPorts: WorkPorts,
): Promise<Reply> {
  const ports = { ...workPorts, limits }
  const actor = { productId, keyId: 'key' }
  switch (call.kind) {
    case 'list':
      return { pages: await readPages(productId, call.limit, ports) }
    case 'playerNfts':
      return { held: await readHeld(productId, call.pageSize, ports) }
    case 'contracts': {
      const { contracts } = await listContracts(productId, {}, ports)
      return {
        contracts: contracts.map(({ chain: _, address: _a, connectedAt: _c, ...rest }) => rest),
      }
    }
    case 'sweep': {
      const message = messages[call.message % messages.length]
      if (message) await processWorkItem(message, never, ports)
      return {}
    }
    case 'disconnect':
      await disconnectContract(actor, contractKeys[call.contract] as ContractKey, never, ports)
      return {}
    case 'allowlist': {
      const contract = contractKeys[call.contract] as ContractKey
      const elements = call.elements.map(elementOf)
      const { description } = call
      const entries = await allowlist(actor, { contract, description, elements }, ports)
      const isOfContract = entries.every((entry) => contractOf(entry) === call.contract)
      return { entries: isOfContract ? entries.map(({ tokenId }) => tokenId) : [] }
    }
    default: {
      const contract = contractKeys[call.contract] as ContractKey
      const unbind = call.kind === 'unbind' ? removeAllowedNfts : removeAllowedNftList
      const elements = call.elements.map(elementOf)
      const { removed, ranges } = await unbind(actor, contract, elements, ports)
      return { removed, ranges: ranges.map(tokenElementText) }
    }
  }
}

const contractOf = ({ chain, address }: ContractKey): number =>
  contractKeys.findIndex((key) => key.chain === chain && key.address === address)

type Listed = NonNullable<Reply['pages']>[number][number]

/** All pages of the list. */
async function readPages(
  productId: ProductId,
  limit: number,
  ports: WorkPorts,
): Promise<Listed[][]> {
  const pages: Listed[][] = []
  let after: Nft | undefined
  do {
    const { entries, next } = await listAllowedNfts(productId, { after, limit }, ports)
    pages.push(entries.map((entry) => [contractOf(entry), entry.tokenId]))
    if (next) expect(next).toEqual(positionOf(entries.at(-1) as AllowlistEntry))
    after = next
  } while (after)
  return pages
}

/** The NFT of an entry, or the first NFT of its range (D58). */
const positionOf = ({ tokenId, ...contract }: AllowlistEntry) => ({
  ...contract,
  tokenId: tokenId === '*' ? '0' : tokenId.split('..')[0],
})

const wallet = toAddress(`0x${'77'.repeat(20)}`)

/** The first and the last identifier of each cell. */
const heldTokenIds = cells.flatMap(({ first, last }, cell) =>
  [...new Set([first, last])].map((number) => ({ cell, tokenId: `${number}` as TokenId })),
)
const cellOf = new Map(heldTokenIds.map(({ cell, tokenId }) => [tokenId, cell]))

/** The holdings of a player on each chain. */
const holdings = new Map(
  contractKeys.map((key) => [
    key.chain,
    heldTokenIds.map(({ tokenId }) => owned({ ...key, tokenId }, wallet)),
  ]),
)

/** Pages of all NFTs, without a delay. */
const indexerOf = (pageSize: number): Pick<Indexer, 'ownedNfts'> => ({
  ownedNfts: async ({ chain, pageKey = '0' }) => {
    const held = holdings.get(chain) ?? []
    const end = Number(pageKey) + pageSize
    const nfts = held.slice(end - pageSize, end)
    return { nfts, ...(end < held.length && { pageKey: `${end}` }) }
  },
})

/** The cells of each contract that a player sees who holds NFTs of all cells. */
async function readHeld(
  productId: ProductId,
  pageSize: number,
  ports: WorkPorts,
): Promise<CellSet[]> {
  const { entries } = await readPlayerNfts(
    {
      operation: 'getRawMetadata',
      productId,
      player: { userId: 1, username: 'neo', wallets: [wallet] },
      deadline: Date.now() + 25_000,
    },
    { render: (entry) => ({ entry, size: 1 }), maxSize: never },
    {
      ...ports,
      indexer: { ...ports.indexer, ...indexerOf(pageSize) },
      cursors: memoryCursors,
    },
  )
  return contractKeys.map((_, contract) => {
    const seen = entries.filter((entry) => contractOf(entry) === contract)
    const held = seen.reduce<CellSet>((set, { tokenId }) => set | (1 << cellAt(tokenId)), noCells)
    const expected = heldTokenIds.filter(({ cell }) => (held & (1 << cell)) !== 0)
    // A cell is held as a whole, and each NFT is seen once.
    const [texts, wanted] = [seen, expected].map((nfts) => `${nfts.map(({ tokenId }) => tokenId)}`)
    if (texts !== wanted) expect(texts).toBe(wanted)
    return held
  })
}

const cellAt = (tokenId: TokenId): number => cellOf.get(tokenId) as number

/** What the ports hold, read while no call runs. */
export async function contentsOf({ productId, ports }: AllowlistSystem): Promise<ContractSet[]> {
  return await Promise.all(
    contractKeys.map(async (key): Promise<ContractSet> => {
      const contract = await ports.contracts.get(productId, key)
      if (!contract) return emptyContract
      const [listed] = (
        await ports.contracts.page(productId, { limit: contractKeys.length })
      ).filter(({ bindingId }) => bindingId === contract.bindingId)
      const [description = ''] = await ports.contracts.descriptions(listed ? [listed] : [])
      const tokenIds = await ports.allowedTokenIds.list(contract.bindingId, { limit: 1_000 })
      return {
        isConnected: true,
        description,
        ranges: contract.ranges.reduce<CellSet>((set, range) => set | cellsOfNumbers(range), 0),
        singles: tokenIds.reduce<CellSet>((set, tokenId) => set | (1 << cellAt(tokenId)), 0),
      }
    }),
  )
}
