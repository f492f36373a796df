import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { type KeptContract, newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import type { ChainEvent } from '../../../lib/domain/ports/chain-events.ts'
import { noCare } from '../../../lib/domain/ports/contract-care.ts'
import type { ContractUse } from '../../../lib/domain/ports/contract-use.ts'
import type { FollowPosition } from '../../../lib/domain/ports/follow-notes.ts'
import { processUpkeepItem } from '../../../lib/domain/upkeep/process-upkeep-item.ts'
import type { UpkeepPorts } from '../../../lib/domain/upkeep/upkeep-ports.ts'
import type { UpkeepResult } from '../../../lib/domain/upkeep/upkeep-result.ts'
import type { UpkeepWork, WorkItem } from '../../../lib/domain/work/work-item.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { tablePorts } from '../../../simulation/table-ports.ts'
import { emptyMemory } from '../../support/memory/memory.ts'
import { memoryPorts } from '../../support/memory/memory-ports.ts'
import { productId } from '../../support/memory/owned-nfts.ts'

export const contract = { chain: 'POLYGON', address: addressOf(1) } as const
export const alice = addressOf(0xa)
export const [minute, hour] = [60_000, 3_600_000]

export const kinds = (items: readonly UpkeepWork[]) => items.map(({ kind }) => kind)

const blockMilliseconds = 2_000
const hashOf = (number: number) => `0x${`${number}`.padStart(64, '0')}`

/** A contract that is kept, of which alice has the NFT 1, with a worker whose items wait in a queue, at a moment. */
export function upkeepWorld() {
  const memory = emptyMemory()
  const queue: { item: UpkeepWork; delaySeconds: number | undefined }[] = []
  const state = {
    now: 1_800_000_000_000,
    /** What the contract says of itself. */
    standard: 'ERC721' as NftStandard | undefined,
    /** How many NFTs the chain says that a wallet has. */
    count: 1n,
    /** Thrown in place of a page of owners, and in place of any answer of the chain's node. */
    ownersFail: undefined as Error | undefined,
    nodeFails: undefined as Error | undefined,
    /** Whether the product has enough left of its limits, and the calls that were counted. */
    hasLeft: true,
    spent: [] as Address[],
    use: undefined as ContractUse | undefined,
    events: [] as ChainEvent[],
  }
  const { followed, kept, metadata, ...table } = tablePorts(() => state.now)
  const cares = table.contractCares
  const latest = () => Math.floor(state.now / blockMilliseconds)
  const blockOf = (number: number) => ({
    ...{ number, hash: hashOf(number), at: number * blockMilliseconds },
  })
  const node = async <Answer>(answer: Answer): Promise<Answer> => {
    if (state.nodeFails) throw state.nodeFails
    return answer
  }
  let ids = 0
  const { contracts, allowedTokenIds, indexer } = memoryPorts(memory)
  const ports: UpkeepPorts = {
    ...{ ...table, contracts, allowedTokenIds, indexer },
    keptChains: ['POLYGON'],
    now: () => state.now,
    random: () => 0.5,
    newId() {
      ids += 1
      return `${ids}`
    },
    chainEvents: {
      head: () => node(blockOf(latest())),
      block: (_chain, number) => node(blockOf(number)),
      events: ({ from, to }) =>
        node(state.events.filter(({ block }) => block.number >= from && block.number <= to)),
    },
    contractStandards: { standardOf: () => node(state.standard) },
    chainState: {
      ownersOf: ({ tokenIds }) => node(tokenIds.map(() => alice)),
      countsOf: ({ wallets }) =>
        node(wallets.map((wallet) => (wallet === alice ? state.count : 0n))),
      balancesOf: ({ pairs }) => node(pairs.map(() => 1n)),
    },
    tokenOwners: {
      statedBlock: () => node({ number: latest(), at: state.now }),
      async page(_query, take) {
        if (state.ownersFail) throw state.ownersFail
        take({ owner: alice, tokenId: '1' as TokenId, amount: 1n })
        return undefined
      },
    },
    contractUses: {
      wanted: async () => [],
      settleWanted: async () => undefined,
      of: async () => state.use,
      choice: async () => ({ lookFrom: Number.POSITIVE_INFINITY, isFull: false, swapFrom: 0 }),
      noteChoice: async () => true,
    },
    callBudget: {
      async spend({ address }, work) {
        if (!state.hasLeft) return 'later'
        state.spent.push(address)
        return await work()
      },
    },
    workQueue: {
      async send(item: WorkItem, delaySeconds) {
        queue.push({ item: item as UpkeepWork, delaySeconds })
      },
    },
    snapshotSettings: { settlingMilliseconds: 0, keptTokens: 1_000_000 },
  }
  const item = () => kept.contracts.get(contract.address) as KeptContract
  const write = (changes: Partial<KeptContract>) =>
    kept.contracts.set(contract.address, { ...item(), version: item().version + 1, ...changes })
  kept.contracts.set(contract.address, { ...newKeptContract(contract.address), version: 1 })

  /** Lets the follower read up to the latest block, which has settled then. */
  function follow(): void {
    const head = blockOf(latest())
    const settling = { declared: head, declaredBefore: head }
    followed.positions.set(contract.chain, { step: latest(), head, settling } as FollowPosition)
  }
  follow()

  return {
    ...{ kept, memory, metadata, cares, queue, state, ports, item, write, follow },
    care: () => cares.of.get(contract.address) ?? noCare,
    process: (work: UpkeepWork): Promise<UpkeepResult> =>
      processUpkeepItem(work, Math.max(state.now, Date.now()) + 40_000, ports),
    /** Runs upkeep, and returns what it has sent. */
    async upkeep(): Promise<UpkeepWork[]> {
      const before = queue.length
      await processUpkeepItem({ kind: 'upkeep' }, state.now + 40_000, ports)
      return queue.slice(before).map(({ item: sent }) => sent)
    },
    /** The log of the contract has begun long ago, so that its snapshot can be taken at once. */
    beginLog: () => write({ log: { standard: 'ERC721', since: { number: 5, at: 10_000 } } }),
    /** The follower has taken a snapshot over, whose lists say that alice has an NFT. */
    use(id: string): void {
      const since = latest() - 10_000
      write({
        snapshot: { id, standard: 'ERC721', step: 1, since, at: state.now - hour },
        settledUpTo: since,
      })
      const tokens = new Map([['1' as TokenId, 1n]])
      kept.lists.set(`${contract.address} ${id} ${alice}`, { settledUpTo: since, tokens })
    },
    read: (productReads = 10): ContractUse => ({
      ...{ readAt: state.now, reads: productReads, productId, wallets: [alice] },
    }),
  }
}
