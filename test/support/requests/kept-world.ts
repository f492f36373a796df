import { transfer } from '@player-nfts/local/indexer/chain/movements'
import { ownersAfter } from '@player-nfts/local/indexer/holdings'
import { collectionOf } from '@player-nfts/local/indexer/world'
import { dynamoKeptContracts } from '../../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { dynamoSnapshotAttempts } from '../../../lib/adapters/dynamodb/keeping/snapshot-attempts.ts'
import { readersKey } from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { type KeptContract, newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { KeptEvent } from '../../../lib/domain/holdings/kept-event.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import { type Chain, chains, type Network } from '../../../lib/domain/nft/chain.ts'
import type { ContractKey, NftStandard } from '../../../lib/domain/nft/nft.ts'
import { newSnapshotId } from '../../../lib/domain/snapshots/snapshot-attempt.ts'
import { adapterTableOf, storedItems } from '../aws/stored-items.ts'
import type { CountedService } from '../services/counted-service.ts'

/** A transfer of an NFT between two wallets. */
export interface Move {
  tokenId: TokenId
  from: Address
  to: Address
  amount?: bigint
}

export const networkOf = (chain: Chain): Network => chains[chain].network as Network

/** What the item of a contract says that is kept with a snapshot of now. */
export const keptWith = (id: string, standard: NftStandard): Partial<KeptContract> => ({
  ...{ settledUpTo: 50, eventsAfter: 50, readUpTo: 95, settledAt: 5 },
  snapshot: { id, standard, step: 4, since: 50, at: Date.now() },
})

/** Keeps contracts of a service's world, as the worker and the follower would, so that one world can be read in both ways. */
export function keptWorld(service: CountedService) {
  const table = adapterTableOf(service.stack)
  const items = storedItems(table)
  const kept = dynamoKeptContracts(table)
  const attempts = dynamoSnapshotAttempts(table)

  /** Changes the item of a contract as its next writer would. */
  async function change(contract: ContractKey, changes: Partial<KeptContract>): Promise<void> {
    const before = (await kept.contract(contract)) ?? newKeptContract(contract.address)
    const after = { ...before, ...changes, version: before.version + 1 }
    if (!(await kept.write(contract.chain, after))) throw new Error('the item was not written')
  }

  /** Notes how far a chain is read, in milliseconds since 1970. */
  async function confirm(at = Date.now(), chain: Chain = 'POLYGON'): Promise<void> {
    const position = { step: 5, confirmedUpTo: at, askedAt: Date.now() }
    await items.put(readersKey(chain), position)
  }

  return {
    ...{ kept, attempts, change, confirm },

    /** Takes a snapshot of a contract: a list for each owner. */
    async keep(contract: ContractKey): Promise<void> {
      const place = { network: networkOf(contract.chain), address: contract.address }
      const id = newSnapshotId(Date.now())
      const limit = Number.POSITIVE_INFINITY
      const { owners } = ownersAfter(service.world, place, { after: undefined, limit })
      await attempts.beginLists({ ...contract, id })
      const wallets = owners.map(({ owner }) => owner)
      await kept.noteHolders({ ...contract, id }, wallets)
      for (const { owner, amounts } of owners) {
        const tokens = new Map(amounts.map(({ tokenId, amount }) => [tokenId, amount]))
        await attempts.addToList({ ...contract, id }, owner, tokens)
      }
      const standard = collectionOf(service.world, place).tokenType
      await change(contract, { ...keptWith(id, standard), events: [], ended: undefined })
      await confirm(Date.now(), contract.chain)
    },

    /** Moves an NFT in the world. If the contract is kept, its item has the event, which no list has. */
    async move(contract: ContractKey, { tokenId, from, to, amount = 1n }: Move): Promise<void> {
      const nft = { network: networkOf(contract.chain), address: contract.address, tokenId }
      transfer(service.world, nft, { from, to, amount }, Date.now())
      const events = (await kept.contract(contract))?.events
      if (!events) return
      const event: KeptEvent = {
        ...{ block: 51, hash: '5c5c5c5c5c5c', index: events.length, from, to },
        moved: [{ tokenId, amount }],
      }
      await change(contract, { events: [...events, event] })
    },
  }
}
