import { IndexerUnavailable } from '../failures.ts'
import { changeContract } from '../keeping/change-contract.ts'
import { listsAtOnce } from '../keeping/settle-lists.ts'
import type { Block, HashedBlock } from '../ports/chain-events.ts'
import { batchesOf, someAtOnce } from '../some-at-once.ts'
import type { OwnersPass, SnapshotAttempt } from './snapshot-attempt.ts'
import {
  type Balances,
  holdingsSum,
  pairsOf,
  setBalance,
  touchedPairs,
} from './snapshot-balances.ts'
import { type SettledPlace, type SnapshotWork, writeContract } from './snapshot-work.ts'

const pairsPerCall = 100

const callsAtOnce = 8

/** The pairs that are corrected together, before it is noted, and the time that this should have, in milliseconds. */
const pairsPerPart = 5_000
const partMilliseconds = 15_000

/** What events have touched since the log of a contract began, up to a settled block. */
interface Touched {
  balances: Balances
  block: HashedBlock
  since: Block
}

/** What events have touched; `undefined` if the log does not begin before what the passes have read, or is too long. */
export async function touchedUpTo(
  { item, block }: SettledPlace,
  { statedAt }: SnapshotAttempt,
  { contract, ports, settings }: SnapshotWork,
): Promise<Touched | undefined> {
  const since = item.log?.since
  if (!since || since.at > statedAt - settings.settlingMilliseconds) return undefined
  const logged = ports.keptContracts.logged(contract, { after: since.number, upTo: block.number })
  const balances = await touchedPairs(logged)
  if (balances) return { balances, block, since }
  // The next attempt begins after what is too much to be held in memory.
  await writeContract(contract, { ...item, log: { standard: settings.standard } }, ports)
  return undefined
}

/** Whether both passes agree about what events have not touched. Throws ServiceUnavailable. */
export async function passesAgree(
  { first }: SnapshotAttempt,
  second: OwnersPass,
  { balances }: Touched,
  work: SnapshotWork,
): Promise<boolean> {
  const [a, b] = await Promise.all(
    [first, second].map((pass) => untouchedSum(pass, balances, work)),
  )
  return a === b
}

/**
 * Corrects what events have touched in lists that agree otherwise, from a pair on, and hands them over to the follower. `note`: notes how
 * many pairs are corrected; `false` ends it. `unfinished`: the rest of the pairs does not fit the time. `anew`: the log has begun anew, or
 * another process has changed a list, so that the snapshot has to begin again. Can be repeated. Throws IndexerUnavailable and
 * ServiceUnavailable.
 */
export async function handOverSnapshot(
  { standard }: SnapshotAttempt,
  { id }: OwnersPass,
  { balances, block, since }: Touched,
  { from, note }: { from: number; note(corrected: number): Promise<boolean> },
  work: SnapshotWork,
): Promise<'prepared' | 'unfinished' | 'anew'> {
  const { ports, deadline, contract } = work
  const pairs = pairsOf(balances)
  for (let at = from; at < pairs.length; at += pairsPerPart) {
    if (at > from && !(await note(at))) return 'unfinished'
    // At least one part, so that there is progress in any time.
    if (at > from && ports.now() > deadline - partMilliseconds) return 'unfinished'
    const part: Balances = new Map()
    for (const { wallet, tokenId } of pairs.slice(at, at + pairsPerPart))
      setBalance(part, wallet, tokenId, 0n)
    await (standard === 'ERC721' ? readOwners : readBalances)(part, block, work)
    if (!(await correctLists(id, part, block.number, work))) return 'anew'
  }
  // Every position with a greater number is written after the lists.
  const position = await ports.followNotes.position(contract.chain)
  if (!position) return 'anew'
  const { step } = position
  const prepared = { id, standard, step, since: block.number, at: block.at }
  const { isChanged } = await changeContract(
    contract,
    // Unless the log has begun anew since the lists were compared with it.
    (item) =>
      item.prepared || item.log?.since?.number !== since.number
        ? undefined
        : { log: undefined, prepared },
    ports.keptContracts,
  )
  return isChanged ? 'prepared' : 'anew'
}

async function readOwners(
  touched: Balances,
  block: HashedBlock,
  { contract, ports, deadline }: SnapshotWork,
): Promise<void> {
  const tokenIds = [...new Set(pairsOf(touched).map(({ tokenId }) => tokenId))]
  await someAtOnce(batchesOf(tokenIds, pairsPerCall), callsAtOnce, async (some) => {
    const owners = await ports.chainState.ownersOf({ contract, block, tokenIds: some, deadline })
    for (const [index, tokenId] of some.entries()) {
      const owner = owners[index]
      if (owner === undefined) throw new IndexerUnavailable('malformed answer: too few owners')
      if (owner) setBalance(touched, owner, tokenId, 1n)
    }
  })
}

async function readBalances(
  touched: Balances,
  block: HashedBlock,
  { contract, ports, deadline }: SnapshotWork,
): Promise<void> {
  await someAtOnce(batchesOf(pairsOf(touched), pairsPerCall), callsAtOnce, async (some) => {
    const query = { contract, block, pairs: some, deadline }
    const balances = await ports.chainState.balancesOf(query)
    for (const [index, { wallet, tokenId }] of some.entries()) {
      const balance = balances[index]
      if (balance === undefined) throw new IndexerUnavailable('malformed answer: too few balances')
      touched.get(wallet)?.set(tokenId, balance)
    }
  })
}

async function untouchedSum(
  { id, sum: text }: OwnersPass,
  touched: Balances,
  { contract, ports }: SnapshotWork,
): Promise<string> {
  const sum = holdingsSum(text)
  const lists = await ports.keptContracts.lists({ ...contract, id }, wantedOf(touched))
  for (const [wallet, of] of touched) {
    // A list that is too long is in no sum.
    if (lists.get(wallet)?.isTooLong) continue
    for (const tokenId of of.keys()) {
      sum.remove(wallet, tokenId, lists.get(wallet)?.tokens.get(tokenId) ?? 0n)
    }
  }
  return sum.text()
}

/** Brings the lists of touched wallets to a block. `false`: another process has changed one of them. */
async function correctLists(
  id: string,
  touched: Balances,
  settledUpTo: number,
  { contract, ports }: SnapshotWork,
): Promise<boolean> {
  const snapshot = { ...contract, id }
  const lists = await ports.keptContracts.lists(snapshot, wantedOf(touched))
  const without = [...touched.keys()].filter((wallet) => !lists.has(wallet))
  if (without.length > 0) await ports.keptContracts.noteHolders(snapshot, without)
  const saved = await someAtOnce([...touched], listsAtOnce, async ([wallet, balances]) => {
    const from = lists.get(wallet)
    if (from && from.settledUpTo > settledUpTo) return false
    return await ports.keptContracts.change(snapshot, wallet, from, { settledUpTo, balances })
  })
  return saved.every((isSaved) => isSaved)
}

const wantedOf = (touched: Balances) =>
  new Map(
    [...touched].map(([wallet, of]) => [
      wallet,
      [...of.keys()].map((tokenId) => ({ fromTokenId: tokenId, toTokenId: tokenId })),
    ]),
  )
