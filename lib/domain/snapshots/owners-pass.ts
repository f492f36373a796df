import { IndexerUnavailable, ServiceUnavailable } from '../failures.ts'
import { type Holdings, maxListed } from '../holdings/holdings.ts'
import { listsAtOnce } from '../keeping/settle-lists.ts'
import type { Address } from '../nft/address.ts'
import type { OwnedAmount } from '../ports/indexer.ts'
import type { SnapshotKey } from '../ports/kept-contracts.ts'
import { someAtOnce } from '../some-at-once.ts'
import type { OwnersPass } from './snapshot-attempt.ts'
import { holdingsSum } from './snapshot-balances.ts'
import type { SnapshotWork } from './snapshot-work.ts'

/** The NFTs from which on no other owner is added to a piece. One owner has no more of it than a list: a piece has twice as many. */
const fullPiece = 10_000

/** A contract has more NFTs than are kept of one. */
export class TooManyTokens extends Error {}

type Piece = Map<Address, Holdings>

/**
 * Reads the next page of a pass, and adds what it has to the lists of its owners while it arrives, in pieces. Returns the pass as it is after
 * the page; its sum has what the lists have. `beforePiece`: called before each piece is written. While the table refuses a list, it is
 * repeated. Throws TooManyTokens, the failures of the indexer, and ServiceUnavailable after the deadline.
 */
export async function takePage(
  pass: OwnersPass,
  beforePiece: () => Promise<void>,
  work: SnapshotWork,
): Promise<OwnersPass> {
  const { contract, ports, settings, deadline } = work
  const { id, pageKey } = pass
  const sum = holdingsSum(pass.sum)
  let { count } = pass
  let piece: Piece = new Map()
  let size = 0
  let latest: Address | undefined

  async function write(): Promise<void> {
    const full = piece
    piece = new Map()
    size = 0
    await beforePiece()
    await writePiece({ ...contract, id }, full, sum, work)
  }

  function add({ owner, tokenId, amount }: OwnedAmount): void {
    const holdings = piece.get(owner) ?? new Map()
    if (holdings.has(tokenId)) {
      throw new IndexerUnavailable('malformed answer: an owner with an NFT twice')
    }
    latest = owner
    // A list with one more is too long, whatever the others are.
    if (holdings.size > maxListed) return
    piece.set(owner, holdings.set(tokenId, amount))
    size += 1
  }

  if (pageKey === undefined) await ports.attempts.beginLists({ ...contract, id })
  const next = await ports.tokenOwners.page({ contract, pageKey, deadline }, (owned) => {
    count += 1
    if (count > settings.keptTokens) throw new TooManyTokens()
    // What an owner has is never divided, because a list that becomes too long is in no sum.
    if (size < fullPiece || owned.owner === latest) return add(owned)
    return write().then(() => add(owned))
  })
  if (size > 0) await write()
  const place = next === undefined ? { readBy: ports.now() } : { pageKey: next }
  return { id, count, sum: sum.text(), ...place }
}

/** Adds a piece of a page to the lists of its owners, and to the sum what the lists have. */
async function writePiece(
  snapshot: SnapshotKey,
  piece: Piece,
  sum: ReturnType<typeof holdingsSum>,
  { ports: { attempts, keptContracts, now }, deadline }: SnapshotWork,
): Promise<void> {
  await untilSaved(() => keptContracts.noteHolders(snapshot, [...piece.keys()]))
  await someAtOnce([...piece], listsAtOnce, async ([owner, holdings]) => {
    if (!(await untilSaved(() => attempts.addToList(snapshot, owner, holdings)))) return
    for (const [tokenId, amount] of holdings) sum.add(owner, tokenId, amount)
  })

  async function untilSaved<Result>(write: () => Promise<Result>): Promise<Result> {
    while (true) {
      try {
        return await write()
      } catch (error) {
        if (!(error instanceof ServiceUnavailable) || now() >= deadline) throw error
      }
    }
  }
}
