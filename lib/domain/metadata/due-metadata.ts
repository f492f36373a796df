import { IndexerUnavailable } from '../failures.ts'
import type { Address } from '../nft/address.ts'
import type { Chain } from '../nft/chain.ts'
import { contractKeyOf, type Nft } from '../nft/nft.ts'
import type { CallBudget } from '../ports/contract-use.ts'
import { type Indexer, maxNftsPerCall } from '../ports/indexer.ts'
import type { DueNote, KeptMetadata, TokenMetadata } from '../ports/token-metadata.ts'
import { counterpart } from '../some-at-once.ts'
import { type Deadline, indexerCallMilliseconds } from '../time-budget.ts'

/** The time after a change in which the indexer can still have what was before it, in milliseconds. */
const changingMilliseconds = 5 * 60_000

/** The shortest time between two moments at which the background asks for a token, in milliseconds. */
const askMilliseconds = 15 * 60_000

/** The longest time for which due tokens are collected into a batch, in milliseconds. */
const collectMilliseconds = 5 * 60_000

/** The contracts whose metadata cannot be read after which no other one is asked for: so one alone delays no other. */
const maxFailures = 2

/** How often a token in trouble is asked for again. */
const maxRetries = 3

/**
 * The note for metadata that was shown; `undefined` if it is not due. It is due if it is older than `metadataSeconds`, if it was read
 * before the latest change of its token, or if it is in trouble: it has a fault, or was read so soon after that change that it can be of
 * the time before it. Trouble is asked for again three times at most.
 */
export function dueNoteOf(
  nft: Nft,
  shown: Pick<KeptMetadata, 'metadata' | 'readAt' | 'retries' | 'changedAt'>,
  changedAt: number | undefined,
  { now, metadataSeconds }: { now: number; metadataSeconds: number },
): DueNote | undefined {
  const { readAt, metadata } = shown
  const change = changedAt ?? Number.NEGATIVE_INFINITY
  const retries = change > (shown.changedAt ?? Number.NEGATIVE_INFINITY) ? 0 : shown.retries
  const isBeforeChange = readAt < change
  const isTrouble = metadata.fault !== undefined || readAt < change + changingMilliseconds
  const isOld = now - readAt > metadataSeconds * 1_000
  if (!isBeforeChange && !isOld && !(isTrouble && retries < maxRetries)) return undefined
  return {
    ...{ ...contractKeyOf(nft), tokenId: nft.tokenId, notedAt: now, readAt },
    askFrom: Math.max(now, readAt + askMilliseconds),
    retries: isTrouble && !isBeforeChange ? retries + 1 : 0,
    ...(changedAt !== undefined && { changedAt }),
  }
}

interface AskPorts {
  tokenMetadata: Pick<TokenMetadata, 'due' | 'readTimes' | 'settleDue' | 'postponeDue' | 'put'>
  indexer: Pick<Indexer, 'metadata'>
  callBudget: CallBudget
  now(): number
}

/**
 * Asks the indexer for the noted tokens of a chain, up to 100 of a contract in one call, and keeps what it says. A contract waits until it has
 * 100, or its first one has waited for five minutes. Returns whether more can be asked for at once: no call begins in the last eight
 * seconds before `until`. What the product that reads a contract has not left for it waits. A note stays until the metadata of its token is kept, and if a call fails or the process ends meanwhile, its
 * tokens are asked for again 15 minutes after `until`. Throws the failures of the indexer and of the table.
 */
export async function askDueMetadata(
  chain: Chain,
  ports: AskPorts,
  until: Deadline,
): Promise<boolean> {
  const now = ports.now()
  const failures = new Map<Address, IndexerUnavailable>()
  for await (const notes of readyBatches(ports.tokenMetadata.due(chain, now), now)) {
    if (ports.now() > until - indexerCallMilliseconds) return true
    const { chain: of, address } = counterpart(notes, 0)
    if (failures.has(address)) continue
    try {
      await ports.callBudget.spend({ chain: of, address }, () => askBatch(notes, ports, until))
    } catch (error) {
      if (!(error instanceof IndexerUnavailable)) throw error
      failures.set(address, error)
      // An indexer that is down fails with every contract.
      if (failures.size === maxFailures) break
    }
  }
  const [failure] = failures.values()
  if (failure) throw failure
  return false
}

/** The notes of each contract in batches, without those that are still collected. */
async function* readyBatches(
  notes: AsyncIterable<DueNote>,
  now: number,
): AsyncGenerator<readonly DueNote[]> {
  let batch: DueNote[] = []
  const isReady = () =>
    batch.length === maxNftsPerCall ||
    batch.some(({ askFrom }) => now - askFrom >= collectMilliseconds)
  for await (const note of notes) {
    const isOther = batch[0] !== undefined && batch[0].address !== note.address
    if (isOther || batch.length === maxNftsPerCall) {
      if (isReady()) yield batch
      batch = []
    }
    batch.push(note)
  }
  if (isReady()) yield batch
}

async function askBatch(
  notes: readonly DueNote[],
  { tokenMetadata, indexer, now }: AskPorts,
  until: Deadline,
): Promise<void> {
  const times = await tokenMetadata.readTimes(notes)
  const readAtOf = (index: number) => times[index] ?? Number.NEGATIVE_INFINITY
  await tokenMetadata.settleDue(notes.filter(({ notedAt }, index) => readAtOf(index) > notedAt))
  const isDue = ({ notedAt }: DueNote, index: number) =>
    readAtOf(index) <= Math.min(notedAt, now() - askMilliseconds)
  // The next moment is noted before the call: whatever happens to this process, nobody asks sooner.
  const taken = await tokenMetadata.postponeDue(notes.filter(isDue), until + askMilliseconds)
  const [first] = taken
  if (!first) return
  const tokenIds = taken.map(({ tokenId }) => tokenId)
  const readAt = now()
  const query = { contract: contractKeyOf(first), tokenIds, fromSource: false, deadline: until }
  const described = await indexer.metadata(query)
  await tokenMetadata.put(
    described.map((nft, index) => {
      const { retries, changedAt } = counterpart(taken, index)
      return { ...nft, readAt, retries, changedAt }
    }),
  )
  await tokenMetadata.settleDue(taken)
}
