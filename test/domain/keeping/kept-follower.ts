import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { rangeReader } from '../../../lib/domain/following/chain-range.ts'
import { type StepResult, takeStep } from '../../../lib/domain/following/take-step.ts'
import {
  type KeptContract,
  newKeptContract,
  type SettlingPosition,
  settledBlock,
} from '../../../lib/domain/holdings/kept-contract.ts'
import { readHoldings } from '../../../lib/domain/holdings/read-holdings.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import type {
  KeptContracts,
  KeptHoldings,
  ListChange,
} from '../../../lib/domain/ports/kept-contracts.ts'
import { listAt, memoryKeptHoldings } from '../../../simulation/kept-table.ts'
import { alice, contract, followedChain, other, settings } from '../../support/follower/followed.ts'
import { detailsOf, id, type Said } from './said-events.ts'

const chainName = 'POLYGON' as const

/** A follower whose steps a test takes one by one, of a chain with a block every two seconds. */
export function keptFollower() {
  const followed = followedChain()
  const { chain, table, kept, notes, now, sleep } = followed
  const memory = followed.keeping.keptContracts
  /** The contracts whose lists the table refuses to write. */
  const throttled = new Set<Address>()
  /** The changes of lists that were written. */
  const changes: { address: Address; wallet: Address; change: ListChange }[] = []
  const keptContracts: KeptContracts = {
    ...memory,
    async change(snapshot, wallet, from, change) {
      const { address } = snapshot
      if (throttled.has(address)) throw new ServiceUnavailable('throttled')
      changes.push({ address, wallet, change })
      return memory.change(snapshot, wallet, from, change)
    },
  }
  table.leases.set(chainName, { holder: 'follower', until: Number.POSITIVE_INFINITY })
  const ranges = rangeReader(chainName, chain)
  const keeping = { ...followed.keeping, keptContracts }
  const ports = { chainEvents: chain, followNotes: notes, keptContracts, keeping, now }

  let result: StepResult = { outcome: 'lost' }
  /** Takes a step, some seconds after the one before. */
  async function step(
    seconds = 5,
    {
      keptContracts: its = keptContracts,
      isTakenOver = false,
      ...use
    }: Partial<typeof ports & { isTakenOver: boolean }> = {},
  ): Promise<StepResult['outcome']> {
    await sleep(seconds * 1_000)
    const follower = { chain: chainName, holder: 'follower', ranges, isTakenOver }
    const using = { ...ports, ...use, keeping: { ...keeping, keptContracts: its } }
    result = await takeStep(follower, using, settings, now() + 12_000)
    return result.outcome
  }

  /** Takes steps until something is so. */
  async function stepUntil(isSo: () => boolean, ...how: Parameters<typeof step>): Promise<void> {
    for (let count = 0; !isSo(); count += 1) {
      if (count === 200) throw new Error('what the test waits for never happens')
      await step(...how)
    }
  }

  /** Takes a step every five seconds, long enough for an event to settle. */
  async function settle(): Promise<void> {
    for (let seconds = 0; seconds < 80; seconds += 5) await step()
  }

  const item = (address = contract) => kept.contracts.get(address) as KeptContract
  /** Changes what is stored of a contract. */
  const write = (changes: Partial<KeptContract>, address = contract) => {
    const { version } = item(address)
    kept.contracts.set(address, { ...item(address), version: version + 1, ...changes })
  }

  return {
    ...{ ...followed, ports, throttled, changes, step, stepUntil, settle, item, write },
    result: () => result,
    settling: () => table.positions.get(chainName)?.settling as SettlingPosition,
    /** What the list of a wallet says. */
    list: (wallet: Address, address = contract) =>
      kept.lists.get(listAt({ address, id: 'snapshot' }, wallet)),
    /** Emits an event in the next block, and returns its number. */
    emit(said: Said, address = contract): number {
      chain.emit({ contract: address, ...detailsOf(said) })
      return chain.logs.at(-1)?.block.number as number
    },
    /** Hands a snapshot over to the follower, in which alice holds the NFT 1 of the contract. */
    prepare(address: Address, standard: NftStandard): void {
      const { settling, step = 0 } = table.positions.get(chainName) ?? {}
      const settledUpTo = settling ? settledBlock(settling, item(address)) : 0
      const tokens = new Map([[id(1), standard === 'ERC721' ? 1n : 5n]])
      kept.lists.set(listAt({ address, id: 'snapshot' }, alice), { settledUpTo: 0, tokens })
      const prepared = { id: 'snapshot', standard, step, since: settledUpTo, at: now() }
      write({ prepared }, address)
    },
    /** What a wallet holds by a read, by token identifier; `undefined`: the indexer is asked. */
    async held(wallet: Address, address = contract): Promise<Record<string, bigint> | undefined> {
      const holdings = memoryKeptHoldings({ followed: table, kept }, now, async () => undefined)
      const query = { chain: chainName, wallets: [wallet], contracts: [address] }
      const { contracts } = await readHoldings(query, holdings satisfies KeptHoldings, now)
      const of = contracts.get(address)?.get(wallet)
      return of && Object.fromEntries(of)
    },
  }
}

/**
 * A follower that keeps two contracts for some steps: an ERC-721 contract of which alice holds the NFT 1, and another one, of ERC-1155
 * by default, of which she holds five of the NFT 1.
 */
export async function followerOfTwo(standard: NftStandard = 'ERC1155') {
  const follower = keptFollower()
  const { kept, step, prepare, changes } = follower
  for (const address of [contract, other]) kept.contracts.set(address, newKeptContract(address))
  await step()
  await step()
  prepare(contract, 'ERC721')
  prepare(other, standard)
  await step()
  changes.length = 0
  return follower
}
