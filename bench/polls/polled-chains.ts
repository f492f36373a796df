import { transfer } from '@player-nfts/local/indexer/chain/movements'
import { ownedBy } from '@player-nfts/local/indexer/holdings'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import { dynamoKeptContracts } from '../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import type { SnapshotEnd } from '../../lib/domain/holdings/kept-contract.ts'
import { toAddress } from '../../lib/domain/nft/address.ts'
import { type CoveredChain, chains } from '../../lib/domain/nft/chain.ts'
import type { ContractKey } from '../../lib/domain/nft/nft.ts'
import { startFunctionProcess } from '../function-process.ts'
import { beginContract, prepareSnapshot, tableIn } from '../scenario/keeping.ts'
import type { Operation } from '../scenario/operations.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import type { Subject } from '../subjects/bundles.ts'

/** The default time between two polls, in milliseconds. */
export const pollMilliseconds = 5_000

/** The polls after which a contract has settled blocks, of which a snapshot can be handed over. */
const pollsBefore = 20

/** The wallets among which NFTs move, and the NFTs of each contract that do. */
const walletCount = 1_000
const nftCount = 2_000

const walletOf = (index: number) =>
  `0x${(0xaa_00_00 + (index % walletCount)).toString(16).padStart(40, '0')}`

/** A contract whose NFTs move: how many before each poll, by its number. Poll 0 takes the snapshot over. */
export interface MovingContract extends ContractKey {
  chain: CoveredChain
  eventsAt(poll: number): number
}

/** A poll at a time that is 5 s later each time, of contracts of which NFTs have moved since the one before. */
export function polled(
  { world, delays, indexerClock }: Surroundings,
  contracts: readonly MovingContract[],
): Operation {
  Object.assign(delays, fixedDelays)
  for (const { chain, address } of contracts) {
    const place = { network: chains[chain].network, address }
    for (let index = 0; index < nftCount; index += 1) {
      ownedBy(world, place, walletOf(index), [`${index}`])
    }
  }
  let poll = -pollsBefore
  const moved = new Map<MovingContract, number>()

  function move(contract: MovingContract): void {
    const place = { network: chains[contract.chain].network, address: contract.address }
    const before = moved.get(contract) ?? 0
    const after = before + contract.eventsAt(poll)
    for (let count = before; count < after; count += 1) {
      // Each time round, an NFT goes on to the next wallet but six.
      const round = Math.floor(count / nftCount)
      const [index, step] = [count % nftCount, 7]
      const parties = {
        from: walletOf(index + round * step),
        to: walletOf(index + (round + 1) * step),
      }
      transfer(world, { ...place, tokenId: `${index}` }, parties, indexerClock.now)
    }
    moved.set(contract, after)
  }

  return {
    functionName: 'follow-step',
    event() {
      for (const contract of contracts) move(contract)
      poll += 1
      indexerClock.now += pollMilliseconds
      return { now: indexerClock.now }
    },
  }
}

/** Lets contracts be kept: polls their chains until blocks have settled, and hands snapshots over, which the next poll uses. */
export async function beginKeeping(
  contracts: readonly ContractKey[],
  { event }: Operation,
  { subject, variables }: { subject: Subject; variables: Record<string, string> },
): Promise<void> {
  const table = tableIn(variables)
  const ports = { keptContracts: dynamoKeptContracts(table), followNotes: dynamoFollowNotes(table) }
  for (const contract of contracts) await beginContract(contract, ports.keptContracts)
  await using container = await startFunctionProcess(subject, variables)
  for (let poll = 0; poll < pollsBefore; poll += 1) await container.run([event()])
  for (const contract of contracts) await prepareSnapshot(contract, ports)
}

/** Throws unless the snapshot of a contract is in use, or has ended for a reason. */
export async function checkKept(
  contract: ContractKey,
  variables: Record<string, string>,
  endsBecause?: SnapshotEnd,
): Promise<void> {
  const item = await dynamoKeptContracts(tableIn(variables)).contract(contract)
  const reason = item?.snapshot ? undefined : (item?.ended?.reason ?? 'never')
  if (reason === endsBecause) return
  throw new Error(`the snapshot of ${contract.address} on ${contract.chain} has ended: ${reason}`)
}

/** A contract of a chain, by a number. */
export const contractOn = (chain: CoveredChain, number: number) => ({
  ...{ chain, address: toAddress(`0x${(0xcc_00_00 + number).toString(16).padStart(40, '0')}`) },
})
