import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { ChainPositions, KeptReadings } from '../../../lib/domain/ports/kept-readings.ts'
import type { ContractEvidence } from '../../../lib/domain/reading/freshness.ts'
import type { GatheredReading, ReadingScope } from '../../../lib/domain/reading/kept-reading.ts'
import { contractAt, type FollowedTable, movementAt, type Turn } from './followed-table.ts'
import { memoryParts } from './memory-parts.ts'

/** How long a read keeps a contract followed, in milliseconds. */
const leaseMilliseconds = 24 * 3_600_000

/** A read renews a lease that ends in less than this time, and does not rely on one with less than an hour. */
const renewalMilliseconds = 23 * 3_600_000
const marginMilliseconds = 3_600_000

/** How long a reading is kept, in milliseconds: longer than any answer may be used. */
const keptMilliseconds = 25 * 3_600_000

const scopeAt = ({ productId, chain, owner, contracts }: ReadingScope): string =>
  [productId, chain, owner, ...contracts].join(' ')

/** What remembering keeps, in memory: each item is read and written at a moment of its own. */
export function memoryKeptReadings(
  table: FollowedTable,
  settings: { followedChains: readonly Chain[]; rememberSeconds: number },
  now: () => number,
  turn: Turn,
): KeptReadings {
  const parts = memoryParts(table, now, turn, keptMilliseconds)
  const isFollowed = (chain: Chain) => settings.followedChains.includes(chain)
  const keptAt = (key: string) => {
    const kept = table.readings.get(key)
    return kept && kept.expiresAt > now() ? kept : undefined
  }

  async function evidenceOf(
    chain: Chain,
    address: ReadingScope['owner'],
  ): Promise<ContractEvidence> {
    await turn('contract')
    const item = table.contracts.get(contractAt(chain, address))
    const left = (item?.leasedUntil ?? 0) - now()
    if (left < renewalMilliseconds) void renewLease(chain, address, left <= marginMilliseconds)
    const isFollowed = left > marginMilliseconds && (item?.suspendedUntil ?? 0) <= now()
    return {
      followedSince: isFollowed ? item?.since?.at : undefined,
      followedStep: item?.since?.step,
      metadataChangedAt: item?.metadataChangedAt,
    }
  }

  /** Asks for a contract to be followed for a day. `isLapsing`: the follower may have stopped noting its events. */
  async function renewLease(
    chain: Chain,
    address: ReadingScope['owner'],
    isLapsing: boolean,
  ): Promise<void> {
    const margin = now() + marginMilliseconds
    const leasedUntil = now() + leaseMilliseconds
    await turn('renew')
    const key = contractAt(chain, address)
    const item = table.contracts.get(key) ?? { address, leasedUntil: 0 }
    if (item.leasedUntil <= margin !== isLapsing) return
    const { since, ...rest } = item
    table.contracts.set(key, { ...rest, leasedUntil, ...(!isLapsing && since && { since }) })
  }

  async function chainEvidenceOf(
    { chain, owner, contracts }: ReadingScope,
    positions: ChainPositions,
  ) {
    const position = positions.get(chain)
    if (!position) return undefined
    const [movedAt, evidence] = await Promise.all([
      Promise.all(
        contracts.map(async (contract) => {
          await turn('moved')
          return table.moved.get(movementAt(chain, owner, contract))?.at
        }),
      ),
      Promise.all(contracts.map((contract) => evidenceOf(chain, contract))),
    ])
    const latest = movedAt.filter((at) => at !== undefined)
    return {
      ...position,
      contracts: evidence,
      movedAt: latest.length > 0 ? Math.max(...latest) : undefined,
    }
  }

  /** Notes that a chain is read, once a minute. */
  function noteAsked(chain: Chain): void {
    const position = table.positions.get(chain)
    if (!position || now() - (position.askedAt ?? 0) < 60_000) return
    table.positions.set(chain, { ...position, askedAt: now() })
  }

  async function refreshedAt({ chain, contracts }: ReadingScope): Promise<number | undefined> {
    const times = await Promise.all(
      contracts.map(async (contract) => {
        await turn('refresh')
        const refresh = table.refreshed.get(contractAt(chain, contract))
        return refresh?.isAtWork ? now() : refresh?.at
      }),
    )
    const known = times.filter((at) => at !== undefined)
    return known.length > 0 ? Math.max(...known) : undefined
  }

  async function write(
    scope: ReadingScope,
    gathered: Promise<GatheredReading | undefined>,
  ): Promise<void> {
    const complete = await gathered
    if (!complete) return
    const reading = await parts.complete(complete)
    await turn('keep')
    const latest = keptAt(scopeAt(scope))?.reading.readAt ?? Number.NEGATIVE_INFINITY
    if (latest >= reading.readAt) return
    const expiresAt = reading.readAt + keptMilliseconds
    table.readings.set(scopeAt(scope), { reading, expiresAt })
    await turn('kept')
  }

  return {
    isOn: settings.followedChains.length > 0 || settings.rememberSeconds > 0,
    keeps: (chain) => isFollowed(chain) || settings.rememberSeconds > 0,
    async positions(chains = settings.followedChains) {
      const found = await Promise.all(
        chains.filter(isFollowed).map(async (chain) => {
          await turn('position')
          const position = table.positions.get(chain)
          const { confirmedUpTo, distrustedBefore, step } = position ?? {
            confirmedUpTo: Number.NEGATIVE_INFINITY,
            distrustedBefore: Number.POSITIVE_INFINITY,
            step: undefined,
          }
          return [chain, { confirmedUpTo, distrustedBefore, step }] as const
        }),
      )
      return new Map(found)
    },
    async find(scope, positions) {
      noteAsked(scope.chain)
      const newest = async () => {
        await turn('reading')
        const kept = keptAt(scopeAt(scope))
        if (!kept) return undefined
        const { reading, isPart } = kept
        return {
          ...reading,
          isPart,
          unpack: async () => parts.found(reading),
          // The request ends after it.
          keepForCursors: () =>
            void table.readings.set(`${scopeAt(scope)} ${reading.readingId}`, { ...kept }),
        }
      }
      const [reading, chain, refreshed] = await Promise.all([
        newest(),
        chainEvidenceOf(scope, positions),
        refreshedAt(scope),
      ])
      return { reading, evidence: { now: now(), chain, refreshedAt: refreshed } }
    },
    async get(scope, readingId) {
      for (const key of [`${scopeAt(scope)} ${readingId}`, scopeAt(scope)]) {
        await turn('get')
        const { reading } = keptAt(key) ?? {}
        if (reading?.readingId === readingId) return parts.found(reading)
      }
      return undefined
    },
    noteBranch(scope, readingId, isPart) {
      const note = async () => {
        await turn('note')
        const kept = keptAt(scopeAt(scope))
        if (kept?.reading.readingId === readingId) kept.isPart = isPart && kept.isPart !== false
      }
      void note()
    },
    keep(scope, reading) {
      void write(scope, reading)
    },
    keepBegun: parts.keepBegun,
    begun: parts.begun,
    count: () => undefined,
  }
}
