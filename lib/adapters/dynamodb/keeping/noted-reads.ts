import type { ContractRead, NotedReads } from '../../../domain/ports/contract-use.ts'
import { type Day, dayOf } from '../../../domain/usage/usage.ts'
import { downstreamCalls } from '../../../observability/downstream-calls.ts'
import { recentlyUsed } from '../../recently-used.ts'
import { inParallel } from '../batches.ts'
import { putItem, updatedItem } from '../item-writes.ts'
import { contractUseKey, wantedContractKey } from '../keys/kept-partitions.ts'
import type { Table } from '../table.ts'

/**
 * The time in which a container does not write the reads of a contract again, of an unknown and of a known one, nor that it is wanted, in
 * milliseconds.
 */
const unknownMilliseconds = 60_000
const knownMilliseconds = 600_000
const wantedMilliseconds = 3_600_000

/** How long the reads of a day are kept after its beginning, and how long a contract is wanted, in seconds. */
const useSeconds = 9 * 86_400
const wantedSeconds = 86_400

/** The most wallets that the item of a day names. Each write puts one in a place that chance decides. */
const walletPlaces = 25

/** The reads of a contract in a container. All times are in milliseconds since 1970. */
interface Counted {
  day: Day
  /** Those of the day that are not written. */
  reads: number
  latest: ContractRead
  writtenAt: number
  wantedAt: number
}

/**
 * The reads of contracts, in an item for each contract and day. What is not written when a day ends is not counted. What a failed write
 * has counted is written with the reads of the next minute; if only the response was lost, it counts twice.
 */
export function dynamoNotedReads(
  table: Table,
  { keptFromReads }: { keptFromReads: number },
): NotedReads {
  const known = recentlyUsed<string, Counted>(10_000)

  function count(latest: ContractRead, day: Day): Counted {
    const name = `${latest.contract.chain} ${latest.contract.address}`
    const before = known.get(name)
    if (before?.day === day) return Object.assign(before, { reads: before.reads + 1, latest })
    const { writtenAt = 0, wantedAt = 0 } = before ?? {}
    const counted = { day, reads: 1, latest, writtenAt, wantedAt }
    known.set(name, counted)
    return counted
  }

  /** Adds reads to those of a day, and returns how many the day has then. */
  async function add({ day, reads, latest }: Counted, now: number): Promise<number> {
    const { contract, productId, wallet } = latest
    const place = Math.floor(Math.random() * walletPlaces)
    const expiresAt = Date.parse(day) / 1_000 + useSeconds
    const update = {
      set: { readAt: now, productId, [`wallet${place}`]: wallet, expiresAt },
      add: { reads },
      isSentOnce: true,
    }
    const key = contractUseKey(contract, day)
    return Number((await updatedItem(table, key, update, 'UPDATED_NEW'))?.['reads'])
  }

  async function want({ contract }: ContractRead, now: number): Promise<void> {
    const expiresAt = Math.ceil(now / 1_000) + wantedSeconds
    await putItem(table, { ...wantedContractKey(contract), expiresAt }, { isSentOnce: true })
  }

  async function write(counted: Counted, now: number): Promise<void> {
    const { ...due } = counted
    Object.assign(counted, { reads: 0, writtenAt: now })
    const inDay = await add(due, now).catch(() => undefined)
    if (inDay === undefined) {
      counted.reads += due.reads
      return
    }
    const isWanted = due.latest.isUnknown && inDay >= keptFromReads
    if (!isWanted || now - counted.wantedAt < wantedMilliseconds) return
    await want(due.latest, now)
    counted.wantedAt = now
  }

  return {
    note(reads) {
      const now = Date.now()
      const day = dayOf(now)
      const counted = new Set(reads.map((read) => count(read, day)))
      const due = [...counted].filter(({ writtenAt, latest: { isUnknown } }) => {
        return now - writtenAt >= (isUnknown ? unknownMilliseconds : knownMilliseconds)
      })
      if (due.length === 0) return
      const writeOne = (each: Counted) => write(each, now).catch(() => undefined)
      downstreamCalls.beside(inParallel(due, table.requestsAtOnce, writeOne))
    },
  }
}
