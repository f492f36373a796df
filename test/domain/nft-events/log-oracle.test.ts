import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { LogEntry } from '../../../lib/domain/nft-events/nft-event.ts'
import type { ChainEvent } from '../../../lib/domain/ports/chain-events.ts'
import { entryKey } from '../../../simulation/followed-table.ts'
import { alice, bob, contract, followedChain, other } from '../../support/follower/followed.ts'
import { Killed } from '../../support/memory/interruptions.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

const contracts = [contract, other]
const watchMilliseconds = 30 * 86_400_000
const histories = Number(process.env['LOG_HISTORIES'] ?? 150)

/** Blocks that are replaced, up to a number. */
const replacement = (blocks: number) =>
  fc.record({
    kind: fc.constant('replace' as const),
    blocks: fc.integer({ min: 1, max: blocks }),
    isRepeated: fc.boolean(),
  })

const transfers = fc.record({
  kind: fc.constant('transfer' as const),
  of: fc.nat(1),
  count: fc.integer({ min: 1, max: 4 }),
  seconds: fc.integer({ min: 0, max: 30 }),
})

const late = fc.record({
  kind: fc.constant('late' as const),
  of: fc.nat(1),
  seconds: fc.integer({ min: 1, max: 25 }),
})

/** The follower dies at one of its calls, or another one takes its place during it. */
const interruption = fc.record({
  kind: fc.constantFrom('kill' as const, 'takeover' as const),
  call: fc.integer({ min: 1, max: 40 }),
})

/** What happens to a chain and its follower. Seconds are those of the clock. */
const happening = fc.oneof(
  { weight: 6, arbitrary: transfers },
  { weight: 2, arbitrary: late },
  { weight: 2, arbitrary: replacement(10) },
  { weight: 4, arbitrary: interruption },
)

const rare = fc.oneof(
  { weight: 8, arbitrary: happening },
  { weight: 1, arbitrary: replacement(90) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('flood', 'refusal', 'gap', 'unwatched') }),
  },
)

type Happening = typeof rare extends fc.Arbitrary<infer Value> ? Value : never

/** Two watched contracts, and a reader of both logs that reads after each happening. */
function watchedChain() {
  let interrupt: (() => Promise<void>) | undefined
  let callsLeft = 0
  const followed = followedChain(async () => {
    callsLeft -= 1
    if (callsLeft < 0) await interrupt?.()
  })
  const { chain, noted, watch, logged, sleep, follow } = followed
  const read = new Map<Address, LogEntry[]>(contracts.map((address) => [address, []]))
  let emitted = 0

  const emit = (address: Address) => {
    emitted += 1
    const tokens = [{ tokenId: tokenIdOf(BigInt(emitted)), amount: '1' }]
    const content = { kind: 'transfer', from: alice, to: bob, tokens } as const
    const details = { transactionHash: `0x${emitted}`, content }
    chain.emit({ contract: address, details })
    return chain.logs.at(-1) as ChainEvent
  }

  /** Reads what is logged up to the block that the position says, from where the last read has ended. */
  function readOn() {
    const upTo = noted.position()?.log?.loggedUpTo.number ?? 0
    for (const [address, entries] of read) {
      const last = entries.at(-1)
      const more = logged(address).filter(
        (entry) => entry.block.number <= upTo && (!last || entryKey(entry) > entryKey(last)),
      )
      entries.push(...more)
    }
  }

  /** Follows in the place of a follower whose lease is over, and which then goes on. */
  async function takeOver() {
    interrupt = undefined
    await sleep(50_000)
    emit(other)
    await follow(11)
  }

  async function run(what: Happening) {
    const address = contracts['of' in what ? what.of : 0] as Address
    if (what.kind === 'transfer') {
      for (let index = 0; index < what.count; index += 1) emit(address)
      await follow(what.seconds)
    } else if (what.kind === 'late') {
      const log = emit(address)
      chain.hidden.add(log)
      await follow(what.seconds)
      chain.hidden.delete(log)
    } else if (what.kind === 'replace') {
      const before = chain.logs
      chain.replace(what.blocks)
      const replaced = before.filter((log) => !chain.logs.includes(log))
      if (what.isRepeated) for (const log of replaced) emit(log.contract)
    } else if (what.kind === 'kill' || what.kind === 'takeover') {
      callsLeft = what.call
      interrupt = what.kind === 'kill' ? () => Promise.reject(new Killed()) : takeOver
      await follow(20).catch((error) => {
        if (!(error instanceof Killed)) throw error
      })
      interrupt = undefined
      await sleep(41_000)
    } else if (what.kind === 'unwatched') {
      watch(address, 0)
      emit(address)
      await follow(20)
      watch(address, watchMilliseconds)
    } else if (what.kind === 'flood' || what.kind === 'refusal') {
      // The source tells a thousand events of a block.
      const count = what.kind === 'flood' ? 999 : 2_500
      for (let index = 0; index < count; index += 1) emit(address)
      await follow(10)
    } else {
      await sleep(3 * 3_600_000)
    }
    readOn()
  }

  return {
    ...followed,
    read,
    async play(happenings: readonly Happening[]) {
      for (const address of contracts) watch(address, watchMilliseconds)
      await follow(100)
      readOn()
      for (const what of happenings) {
        await run(what)
        await follow(6)
        readOn()
      }
      // A contract that had too many events is logged again after an hour.
      await follow(90)
      await sleep(3_600_000)
      await follow(90)
      readOn()
    },
  }
}

type Watched = ReturnType<typeof watchedChain>

const missedOf = (entries: readonly LogEntry[]) =>
  entries.flatMap(({ content }) => (content.kind === 'missed' ? [content] : []))

/** What a reader of the logs has lost, and what it has been told that is not so. */
function faultsOf({ chain, noted, logged, read }: Watched): string[] {
  const upTo = noted.position()?.log?.loggedUpTo.number ?? 0
  return [...read].flatMap(([address, entries]) => {
    const missed = missedOf(entries)
    // Where it is not known since when, it is since the blocks before of which the same was told.
    const isTold = (number: number) =>
      missed.some(
        ({ fromBlock, toBlock }, index) =>
          number >= (fromBlock ?? missed[index - 1]?.toBlock ?? 0) && number <= toBlock,
      )
    const textOf = (block: ChainEvent['block'], index?: number, content?: unknown) =>
      `${block.number} ${block.hash} ${index} ${JSON.stringify(content)}`
    const happened = chain.logs
      .filter((log) => log.contract === address && log.block.number <= upTo)
      .map(
        ({ block, index, details }) =>
          [block.number, textOf(block, index, details.content)] as const,
      )
    const told = entries
      .filter(({ content }) => content.kind !== 'missed')
      .map(
        ({ block, logIndex, content }) => [block.number, textOf(block, logIndex, content)] as const,
      )
    const lost = happened.filter(
      ([number, text]) => !isTold(number) && !told.some(([, its]) => its === text),
    )
    const takenBack = told.filter(
      ([number, text]) => !isTold(number) && !happened.some(([, its]) => its === text),
    )
    const late = logged(address).filter(
      (entry) =>
        entry.block.number <= upTo &&
        !entries.includes(entry) &&
        !entries.some((each) => entryKey(each) === entryKey(entry)),
    )
    return [
      ...lost.map(([, text]) => `lost ${text}`),
      ...takenBack.map(([, text]) => `taken back ${text}`),
      ...late.map((entry) => `behind the reader ${entryKey(entry)}`),
    ]
  })
}

test('D117: each event is told once, in order, and none is taken back, also if followers die and blocks are replaced', async () => {
  let told = 0
  await checkAsync(
    fc.asyncProperty(fc.array(happening, { maxLength: 12 }), async (happenings) => {
      const watched = watchedChain()
      await watched.play(happenings)
      expect(faultsOf(watched)).toEqual([])
      for (const entries of watched.read.values()) {
        // Only what was before the contract was watched.
        expect(missedOf(entries).length).toBeLessThanOrEqual(1)
        told += entries.length
      }
    }),
    histories,
  )
  expect(told).toBeGreaterThan(histories * 5)
})

test('D117: what is not told is told as missed: after a gap, a flood, a refusal, or the replacement of blocks that were logged', async () => {
  const reasons = new Set<string>()
  await checkAsync(
    fc.asyncProperty(fc.array(rare, { maxLength: 12 }), async (happenings) => {
      const watched = watchedChain()
      await watched.play(happenings)
      expect(faultsOf(watched)).toEqual([])
      for (const entries of watched.read.values()) {
        for (const { reason } of missedOf(entries)) reasons.add(reason)
      }
    }),
    histories,
  )
  expect([...reasons].sort()).toEqual(['busy', 'gap', 'refused', 'reorganization'])
})
