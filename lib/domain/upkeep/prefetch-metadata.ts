import { existingNfts } from '../allowlist/existing-nfts.ts'
import { elementsAfter, endOf } from '../allowlist/list-nfts.ts'
import { type ContractKey, type ContractWithRanges, contractKeyOf, type Nft } from '../nft/nft.ts'
import { maxNftsPerCall } from '../ports/indexer.ts'
import { type Deadline, indexerCallMilliseconds } from '../time-budget.ts'
import type { UpkeepWork } from '../work/work-item.ts'
import type { UpkeepPorts } from './upkeep-ports.ts'
import { goesOn, type UpkeepStep, withinBudget } from './upkeep-result.ts'

type PrefetchItem = Extract<UpkeepWork, { kind: 'prefetch' }>

/** The most NFTs of a contract whose metadata is asked for while its snapshot is made, or is there already. */
const maxLookedAt = 1_000_000

const maxPages = 8

/**
 * Keeps the metadata of the NFTs of a contract that the product allowlists which has read it last, as far as nobody has it, while the
 * snapshot of the contract is made: up to 1,000,000 NFTs (D155). Goes on in another item. Throws ServiceUnavailable.
 */
export async function prefetchMetadata(
  item: PrefetchItem,
  until: Deadline,
  ports: UpkeepPorts,
): Promise<UpkeepStep> {
  const { contract } = item
  const kept = await ports.keptContracts.contract(contract)
  const connected = kept?.log && (await connectedContract(contract, ports))
  if (!connected) return { outcome: 'nothing' }
  let at: PrefetchItem | undefined = item
  while (at && ports.now() < until) {
    const from: PrefetchItem = at
    const step = () => afterStep(from, connected, until, ports)
    const part = await withinBudget(contract, step, ports.callBudget)
    if (!('result' in part)) return goesOn(part, from)
    at = part.result
  }
  return at ? { outcome: 'again', next: { item: at, pause: 0 } } : { outcome: 'done' }
}

async function connectedContract(
  contract: ContractKey,
  { contractUses, contracts }: UpkeepPorts,
): Promise<ContractWithRanges | undefined> {
  const use = await contractUses.of(contract)
  return use && (await contracts.get(use.productId, contract))
}

/** Keeps the metadata of the next NFTs. Returns where it goes on; `undefined` at the end. */
async function afterStep(
  { contract, after, looked }: PrefetchItem,
  connected: ContractWithRanges,
  until: Deadline,
  ports: UpkeepPorts,
): Promise<PrefetchItem | undefined> {
  const from = after === undefined ? undefined : { ...contract, tokenId: after }
  const { elements, more } = await elementsAfter([connected], from, ports)
  const limits = { nfts: maxNftsPerCall, contracts: 1, pages: maxPages, until }
  const deadline = until + indexerCallMilliseconds
  const { nfts, readUpTo } = await existingNfts(elements, limits, ports.indexer, deadline)
  await keepMissing(nfts, deadline, ports)
  const last = elements.at(-1)
  const next = readUpTo ?? (more && last ? endOf(last) : undefined)
  const all = looked + nfts.length
  if (!next || all >= maxLookedAt) return undefined
  return { kind: 'prefetch', contract, after: next.tokenId, looked: all }
}

async function keepMissing(
  nfts: readonly Nft[],
  deadline: Deadline,
  { tokenMetadata, indexer, now }: UpkeepPorts,
): Promise<void> {
  const times = nfts.length > 0 ? await tokenMetadata.readTimes(nfts) : []
  const missing = nfts.filter((_, index) => times[index] === undefined)
  const [first] = missing
  if (!first) return
  const tokenIds = missing.map(({ tokenId }) => tokenId)
  const readAt = now()
  const query = { contract: contractKeyOf(first), tokenIds, fromSource: false, deadline }
  const described = await indexer.metadata(query)
  await tokenMetadata.put(described.map((nft) => ({ ...nft, readAt, retries: 0 })))
}
