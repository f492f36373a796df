import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dividedTokens } from '../../../../lib/adapters/dynamodb/keeping/kept-list-tokens.ts'
import {
  writeDirectory,
  writeHead,
  writeParts,
} from '../../../../lib/adapters/dynamodb/keeping/kept-list-writes.ts'
import { type TokenId, tokenIdOf } from '../../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../../lib/domain/nft/address.ts'
import type { ListChange } from '../../../../lib/domain/ports/kept-contracts.ts'
import { addressOf } from '../../../support/memory/owned-nfts.ts'
import { checkAsync } from '../../../support/vitest/seeded.ts'
import {
  alice,
  all,
  keptUntil,
  longIds,
  range,
  snapshot,
  startKeptLists,
  state,
  unlessKilled,
} from './kept-list-fixture.ts'

const { table, kept, items, read, directory } = await startKeptLists()
const ids = longIds(1_000)

const tokenId = fc.oneof(
  fc.bigInt({ min: 0n, max: 30n }),
  fc.nat(999).map((index) => ids[index] ?? 0n),
)
const balance = fc.oneof(fc.constantFrom(0n, 1n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
const changes = fc.oneof(
  fc.array(fc.tuple(tokenId, balance), { maxLength: 8 }),
  // Many at once, so that there are parts.
  fc
    .tuple(fc.nat(900), fc.integer({ min: 1, max: 300 }), balance)
    .map(([first, count, each]) =>
      ids.slice(first, first + count).map((id) => [id, each] as [bigint, bigint]),
    ),
)
const step = fc.record({
  wallet: fc.nat(1).map(addressOf),
  blocks: fc.nat(2),
  changes,
  /** The write before which a process ends that attempts the change first. */
  killedBefore: fc.option(fc.nat(4), { nil: undefined }),
  wanted: fc.array(fc.tuple(tokenId, tokenId), { maxLength: 3 }),
})

/** What a wallet holds. */
interface Held {
  settledUpTo: number
  tokens: ReadonlyMap<TokenId, bigint>
}

/** Makes a change, after a process that attempts it up to a later block ends. Returns the block up to which it is made. */
async function make(wallet: Address, change: ListChange, killedBefore: number | undefined) {
  const concerned = [...change.balances.keys()].map((id) => range(BigInt(id), BigInt(id)))
  const from = await read(wallet, concerned)
  if (killedBefore !== undefined) {
    const { kept: mortal } = keptUntil(table, killedBefore)
    const settledUpTo = change.settledUpTo + 5
    const attempt = mortal.change(snapshot, wallet, from, { ...change, settledUpTo })
    if (await unlessKilled(attempt)) return settledUpTo
  }
  expect(await kept.change(snapshot, wallet, from, change)).toBe(true)
  return change.settledUpTo
}

/** What a wallet holds in ranges whose ends are in any order. */
async function compareRanges(wallet: Address, { tokens }: Held, ends: readonly [bigint, bigint][]) {
  const wanted = ends.map(([a, b]) => (a < b ? range(a, b) : range(b, a)))
  const inRanges = [...tokens].filter(([id]) =>
    wanted.some((each) => {
      const [first, last] = [BigInt(each.fromTokenId), BigInt(each.toTokenId)]
      return first <= BigInt(id) && BigInt(id) <= last
    }),
  )
  expect((await read(wallet, wanted))?.tokens).toEqual(new Map(inRanges))
}

test('lists of wallets are those of a map, after changes and crashes', {
  timeout: 120_000,
}, async () => {
  await checkAsync(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await items.empty()
      const model = new Map<Address, Held>()
      for (const { wallet, blocks, changes: changed, killedBefore, wanted } of steps) {
        const before = model.get(wallet) ?? { settledUpTo: 50, tokens: new Map() }
        const balances = new Map(changed.map(([id, amount]) => [tokenIdOf(id), amount]))
        const change = { settledUpTo: before.settledUpTo + blocks, balances }
        const settledUpTo = await make(wallet, change, killedBefore)
        const after = new Map([...before.tokens, ...balances])
        const held = {
          settledUpTo,
          tokens: new Map([...after].filter(([, amount]) => amount > 0n)),
        }
        model.set(wallet, held)
        expect(state(await read(wallet))).toEqual(held)
        await compareRanges(wallet, held, wanted)
      }
      const wanted = new Map([...model.keys()].map((wallet) => [wallet, [all]]))
      const lists = await kept.lists(snapshot, wanted)
      expect(new Map([...lists].map(([wallet, list]) => [wallet, state(list)]))).toEqual(model)
    }),
    40,
  )
})

/** Tokens of one of many parts, in its middle or between those. */
const tokensOfPart = (part: number, count: number, between = 0n) =>
  Array.from(
    { length: count },
    (_, index) =>
      [(BigInt(part) << 200n) + (BigInt(index + 1) << 180n) + between, 1n] as [bigint, bigint],
  )

/** Writes a list of as many parts as a directory has at most. */
async function writeManyParts(counts: readonly number[]) {
  const list = { snapshot, wallet: alice }
  const tokens = counts.map((count, part) => tokensOfPart(part, count))
  const planned = tokens.flatMap(dividedTokens)
  const written = await writeParts(table, list, { version: 0, parts: [] }, planned, 50)
  await writeDirectory(table, list, 'many', undefined, written)
  await writeHead(table, list, undefined, { directory: 'many' })
  return new Map(tokens.flat().map(([id, amount]) => [tokenIdOf(id), amount]))
}

test('a list of as many parts as there can be is that of a map, while small parts are joined', {
  timeout: 120_000,
}, async () => {
  const size = fc.constantFrom(1, 1, 1, 5, 40)
  const growing = fc.record({
    part: fc.nat(199),
    count: fc.integer({ min: 100, max: 400 }),
    killedBefore: fc.option(fc.nat(20), { nil: undefined }),
  })
  const sizes = fc.array(size, { minLength: 200, maxLength: 200 })
  const steps = fc.array(growing, { minLength: 1, maxLength: 4 })
  await checkAsync(
    fc.asyncProperty(sizes, steps, async (counts, made) => {
      await items.empty()
      let tokens = await writeManyParts(counts)
      let settledUpTo = 50
      for (const { part, count, killedBefore } of made) {
        const added = tokensOfPart(part, count, 1n << 170n)
        const balances = new Map(added.map(([id, amount]) => [tokenIdOf(id), amount]))
        settledUpTo = await make(alice, { settledUpTo: settledUpTo + 1, balances }, killedBefore)
        tokens = new Map([...tokens, ...balances])
        expect(state(await read())).toEqual({ settledUpTo, tokens })
        expect((await directory()).parts.length).toBeLessThanOrEqual(200)
      }
    }),
    8,
  )
})
