import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { askDueMetadata } from '../../../lib/domain/metadata/due-metadata.ts'
import { showMetadata } from '../../../lib/domain/metadata/show-metadata.ts'
import type { Nft } from '../../../lib/domain/nft/nft.ts'
import type { Metadata } from '../../../lib/domain/nft/owned-nft.ts'
import type { CallBudget } from '../../../lib/domain/ports/call-budget.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import { nft } from '../memory/owned-nfts.ts'
import { type SimulatedTime, simulatedTime } from '../simulated-chain/simulated-time.ts'
import {
  emptyMetadataTable,
  linkOf,
  type MetadataTable,
  memoryTokenMetadata,
  metadataAt,
} from './memory-metadata.ts'

const minute = 60_000
const metadataSeconds = 3 * 3_600
const historyMilliseconds = 16 * 60 * minute

/** The longest time after a change until the indexer has it: shorter than the rules take it for. */
const longestIndexing = 4.5 * minute

/**
 * The longest time from a read that notes a token until it was asked for: a quarter of an hour since it was read, five minutes in which its
 * contract is collected, and a minute until the background begins.
 */
const noted = 23 * minute

/** What the indexer gives of a token from a moment on. */
interface Given {
  since: number
  metadata: Metadata
}

/** What happens to a token. Moments are in the order of time. */
interface TokenHistory {
  nft: Nft
  given: Given[]
  /** The changes that the chain tells of. */
  changes: number[]
  /** The reads that have noted what was due. */
  reads: number[]
  /** When the background has asked for it. */
  asked: number[]
}

interface World {
  time: SimulatedTime
  table: MetadataTable
  tokens: readonly TokenHistory[]
  /** How long the background is hindered, and when that ends. */
  mishaps: { at: number; milliseconds: number }[]
  isHindered: boolean
  end: number
  counts: { shown: number; judged: number; asked: number; crashes: number }
}

class Killed extends Error {}

/** Plays a history of readers, refreshes and workers, and throws if what was shown or asked breaks the rules. */
export async function playMetadata(seed: number): Promise<World['counts']> {
  const time = simulatedTime(seed)
  const start = time.now()
  const tokens = [0, 1, 2, 3, 4, 5].map((id) => ({
    ...{ nft: nft(id, 1 + (id % 2)), changes: [], reads: [], asked: [] },
    given: [{ since: start, metadata: { text: `{"of":"${id}","at":"start"}` } }],
  }))
  const world: World = {
    ...{ time, tokens, table: emptyMetadataTable(), mishaps: [], isHindered: time.isOneOf(2) },
    end: start + historyMilliseconds,
    counts: { shown: 0, judged: 0, asked: 0, crashes: 0 },
  }
  const processes = [
    ...tokens.map((token) => changeToken(world, token)),
    ...[1, 2, 3].map(() => read(world)),
    ...(time.isOneOf(3) ? [refresh(world), refresh(world)] : []),
    ...[1, 2].map(() => work(world)),
  ]
  const ended = Promise.all(processes)
  await time.runUntil(ended)
  await ended
  for (const token of tokens) judgeAsked(token)
  return world.counts
}

/** Changes what the indexer gives of a token, mostly after the chain has told of it. */
async function changeToken({ time, end }: World, { nft: of, given, changes }: TokenHistory) {
  for (let number = 0; time.now() < end; number += 1) {
    await time.sleep(time.between(1, time.isOneOf(3) ? 20 : 240) * minute)
    const isTold = !time.isOneOf(4)
    if (isTold) changes.push(time.now())
    if (isTold) await time.sleep(time.random() * longestIndexing)
    if (time.isOneOf(4)) {
      given.push({ since: time.now(), metadata: { text: '{}', fault: 'not_available' } })
      if (!isTold || time.isOneOf(2)) await time.sleep(time.between(1, 60) * minute)
    }
    const text = `{"of":"${of.tokenId}","number":${number}}`
    given.push({ since: time.now(), metadata: { text } })
  }
}

/** Waits as a call of a port does. */
const latency = ({ time }: World, most = 80): Promise<void> => time.sleep(time.between(5, most))

/** The indexer, which gives what it has at a moment of the call. `asked`: called with the tokens as the call begins. */
function indexerOf(world: World, asked: (token: TokenHistory) => void): Pick<Indexer, 'metadata'> {
  const { time, tokens } = world
  return {
    async metadata({ contract, tokenIds, deadline }) {
      if (time.now() >= deadline) throw new IndexerUnavailable('no time is left')
      const wanted = tokenIds.map((tokenId) => {
        const of = { ...contract, tokenId }
        const token = tokens.find((each) => metadataAt(each.nft) === metadataAt(of))
        if (!token) throw new Error('an NFT of which nobody knows')
        asked(token)
        return token
      })
      await latency(world, 1_500)
      if (world.isHindered && time.isOneOf(15)) throw new IndexerUnavailable('down')
      const described = wanted.map(({ nft: of, given }) => {
        const { metadata } = given.at(-1) as Given
        return { ...of, metadataLink: linkOf(of), metadata }
      })
      await latency(world, 1_500)
      return described
    },
  }
}

async function read(world: World) {
  const { time, table, tokens, end } = world
  while (time.now() < end) {
    await time.sleep(time.random() * (time.isOneOf(6) ? 90 : 8) * minute)
    if (time.now() >= end) return
    let isKilled = false
    const tokenMetadata = memoryTokenMetadata(table, async () => {
      await latency(world)
      isKilled ||= world.isHindered && time.isOneOf(100)
      if (isKilled) throw new Killed()
    })
    const page = Array.from({ length: time.between(1, 8) }, () => time.pick(tokens))
    const begunAt = time.now()
    const latestChange = ({ changes }: TokenHistory) => changes.at(-1)
    const context = {
      ...{ maxBytes: 10_000, metadataSeconds, deadline: begunAt + 20_000 },
      changedAt: (of: Nft) => {
        const token = tokens.find((each) => metadataAt(each.nft) === metadataAt(of))
        return token && latestChange(token)
      },
    }
    const ports = { tokenMetadata, indexer: indexerOf(world, () => undefined), now: time.now }
    const shown = await showMetadata(
      page.map((token) => token.nft),
      context,
      ports,
    ).catch(unlessKilled)
    for (const [index, { metadata }] of (shown ?? []).entries())
      judge(world, page[index] as TokenHistory, metadata as Metadata, begunAt)
    // The notes are written by then, unless the process was killed.
    await time.sleep(2_000)
    if (shown && !isKilled) for (const { reads } of new Set(page)) reads.push(begunAt)
  }
}

/** Refreshes tokens: what it has read is kept some time later. */
async function refresh(world: World) {
  const { time, table, tokens, end } = world
  while (time.now() < end) {
    await time.sleep(time.between(1, 15) * minute)
    const readAt = time.now()
    const { nft: of, given } = time.pick(tokens)
    const { metadata } = given.at(-1) as Given
    await time.sleep(time.random() * 2 * minute)
    await memoryTokenMetadata(table).put([
      { ...of, metadataLink: linkOf(of), metadata, readAt, retries: 0 },
    ])
  }
}

/** The background: each minute, beside another process that does the same. */
async function work(world: World) {
  const { time, table, mishaps, counts, end } = world
  const turn = async () => {
    await latency(world)
    if (!world.isHindered || !time.isOneOf(60)) return
    if (time.isOneOf(2)) throw new Killed()
    const milliseconds = time.random() * 20 * minute
    mishaps.push({ at: time.now() + milliseconds, milliseconds })
    await time.sleep(milliseconds)
  }
  const asked = (token: TokenHistory) => {
    counts.asked += 1
    token.asked.push(time.now())
  }
  const ports = {
    tokenMetadata: memoryTokenMetadata(table, turn),
    indexer: indexerOf(world, asked),
    callBudget: { spend: (_, work) => work() } satisfies CallBudget,
    now: time.now,
  }
  while (time.now() < end) {
    await time.sleep(time.between(20, 60) * 1_000)
    try {
      await askDueMetadata('POLYGON', ports, time.now() + 40_000)
    } catch (error) {
      if (!(error instanceof IndexerUnavailable)) unlessKilled(error)
      counts.crashes += 1
      // Its tokens wait for a quarter of an hour after the end of its time, and are collected again.
      mishaps.push({ at: time.now(), milliseconds: noted })
    }
  }
}

function unlessKilled(error: unknown): undefined {
  if (!(error instanceof Killed)) throw error
}

/** Whether the indexer has given this of a token at a moment since another one. */
const wasGivenSince = ({ given }: TokenHistory, { text, fault }: Metadata, since: number) =>
  given.some(({ metadata }, index) => {
    const until = given[index + 1]?.since ?? Number.POSITIVE_INFINITY
    return metadata.text === text && metadata.fault === fault && until >= since
  })

/** The latest read that has noted what was due long enough before a moment for it to be asked for by then. */
function settledRead({ mishaps }: World, { reads }: TokenHistory, at: number): number | undefined {
  return reads.findLast((since) => {
    const meanwhile = mishaps.filter(
      (mishap) => mishap.at >= since && mishap.at - mishap.milliseconds <= at,
    )
    return meanwhile.reduce((sum, { milliseconds }) => sum + milliseconds, since + noted) <= at
  })
}

/** Throws if what was shown of a token is older than the rules permit. */
function judge(world: World, token: TokenHistory, metadata: Metadata, at: number): void {
  world.counts.shown += 1
  if ((metadata.fault as string | undefined) === 'indexer_unavailable') return
  const fail = (reason: string) => {
    throw new Error(`${token.nft.tokenId} at ${at}: ${metadata.text} is older than ${reason}`)
  }
  const second = settledRead(world, token, at)
  if (second === undefined) return
  world.counts.judged += 1
  if (!wasGivenSince(token, metadata, second - metadataSeconds * 1_000)) fail('the time of a text')
  const changed = token.changes.findLast((change) => change <= second)
  if (changed !== undefined && !wasGivenSince(token, metadata, changed)) fail('a change')
  const first = settledRead(world, token, second)
  const seen = token.changes.findLast((change) => first !== undefined && change <= first)
  if (seen !== undefined && !wasGivenSince(token, metadata, seen + longestIndexing))
    fail('a change that was indexed')
}

/** Throws if the background has asked for a token twice in 15 minutes. */
function judgeAsked({ nft: of, asked }: TokenHistory): void {
  const sorted = asked.toSorted((a, b) => a - b)
  for (const [index, at] of sorted.entries()) {
    const next = sorted[index + 1] ?? Number.POSITIVE_INFINITY
    if (next - at < 15 * minute) throw new Error(`${of.tokenId} was asked for at ${at} and ${next}`)
  }
}
