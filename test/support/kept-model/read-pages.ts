import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Snapshot, SnapshotId } from '../../../lib/domain/holdings/kept-contract.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import { blockOf, type ModelBlock } from './kept-chain.ts'

/** A page of owners: the last wallet of which it tells, absent on the last page, and the block that the indexer had for it. */
interface ReadPage {
  upTo: Address | undefined
  block: ModelBlock
}

/** What a pass over the owners has read, and the pass before it, which agrees with it if it becomes a snapshot. */
interface ReadPass {
  first: SnapshotId | undefined
  /** By the key, in the order of wallets. */
  pages: Map<string | undefined, ReadPage>
}

/** The passes of a history by their identifiers. */
export type ReadPasses = Map<SnapshotId, ReadPass>

/** Notes a page of a pass. It takes the place of one that was read before and not written. */
export function noteRead(
  passes: ReadPasses,
  {
    id,
    first,
    pageKey,
  }: { id: SnapshotId; first?: SnapshotId | undefined; pageKey?: string | undefined },
  page: ReadPage,
): void {
  const pass = passes.get(id) ?? { first, pages: new Map() }
  passes.set(id, pass)
  pass.pages.set(pageKey, page)
}

/**
 * What can be wrong in a snapshot: the pairs of wallet and token of which both passes say the same, each from another branch that was replaced,
 * and the chain something else. No event of the chain has touched them, so nobody asks it. "What remains wrong" in docs/ownership.md names them.
 */
export function pairsOfReplaced(
  passes: ReadPasses,
  { id, since }: Pick<Snapshot, 'id' | 'since'>,
  head: ModelBlock,
): (wallet: Address, tokenId: TokenId) => boolean {
  const second = passes.get(id)
  const first = second?.first !== undefined && passes.get(second.first)
  const chain = blockOf(head, since)
  return (wallet, tokenId) => {
    if (!first || !chain) return false
    const [a, b] = [replacedBlock(first, wallet, head), replacedBlock(second, wallet, head)]
    if (!a || !b || isOneBranch(a, b)) return false
    const balance = balanceAt(a, wallet, tokenId)
    return (
      balance === balanceAt(b, wallet, tokenId) && balance !== balanceAt(chain, wallet, tokenId)
    )
  }
}

/** The block that a page had which tells of a wallet, if it is not part of the chain any more. */
function replacedBlock(
  { pages }: ReadPass,
  wallet: Address,
  head: ModelBlock,
): ModelBlock | undefined {
  const page = [...pages.values()].find(({ upTo }) => upTo === undefined || wallet <= upTo)
  return page && blockOf(head, page.block.number) !== page.block ? page.block : undefined
}

/** Whether one of two blocks comes after the other one: the second pass waits until the first one has settled, so that they do not. */
const isOneBranch = (a: ModelBlock, b: ModelBlock): boolean =>
  blockOf(b, a.number) === a || blockOf(a, b.number) === b

const balanceAt = ({ state }: ModelBlock, wallet: Address, tokenId: TokenId): bigint =>
  state.get(tokenId)?.get(wallet) ?? 0n
