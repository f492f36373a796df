import type { Address } from '../../lib/domain/nft/address.ts'
import type {
  ContractChoice,
  ContractUse,
  ContractUses,
  NotedReads,
} from '../../lib/domain/ports/contract-use.ts'

/** The reads with which a contract begins to be kept. */
const keptFromReads = 10

/** The wallets of reads that the worker knows. */
const knownWallets = 25

/** The reads of contracts of one chain, in memory: each is noted at once. */
export function dayUses(now: () => number): { notedReads: NotedReads; contractUses: ContractUses } {
  const uses = new Map<Address, ContractUse>()
  const wanted = new Set<Address>()
  let choice: ContractChoice = { lookFrom: 0, isFull: false, swapFrom: 0 }
  return {
    notedReads: {
      note(reads) {
        for (const { contract, productId, wallet, isUnknown } of reads) {
          const { reads: before = 0, wallets = [] } = uses.get(contract.address) ?? {}
          const latest = [wallet, ...wallets.slice(0, knownWallets - 1)]
          const use = { readAt: now(), reads: before + 1, productId, wallets: latest }
          uses.set(contract.address, use)
          if (isUnknown && use.reads >= keptFromReads) wanted.add(contract.address)
        }
      },
    },
    contractUses: {
      wanted: async () => [...wanted],
      settleWanted: async ({ address }) => void wanted.delete(address),
      of: async ({ address }) => uses.get(address),
      choice: async () => choice,
      async noteChoice(next, before) {
        if (choice.lookFrom > before.lookFrom || choice.swapFrom > before.swapFrom) return false
        choice = next
        return true
      },
    },
  }
}
