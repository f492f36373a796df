import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { type ModelBlock, wallets } from '../../support/kept-model/kept-chain.ts'
import { playKept } from '../../support/kept-model/kept-history.ts'
import { noteRead, pairsOfReplaced, type ReadPasses } from '../../support/kept-model/read-pages.ts'
import { seed } from '../../support/vitest/seeded.ts'
import { id } from './said-events.ts'

/** .ci/soak plays 100,000 histories, which takes an hour. */
const histories = Number(process.env['KEPT_HISTORIES'] ?? 200)

// Most rules of lib/domain/keeping, lib/domain/snapshots and lib/domain/holdings that are taken out turn this test red, many within 125
// histories; rarest are a lease that was taken over without writing every item, and a position that is not as it was read: one in thousands. Not
// seen red yet: how far apart two split polls are, the hash of the last event of a call, the step of a snapshot, the time of a read, and a list ahead.
describe(`${histories} histories of a contract that is kept`, () => {
  test('every answer was true at a moment since its asOf less the settling time, and after quiet everything is kept', async () => {
    const totals = { kept: 0, indexed: 0, keptAtEnd: 0, wrongAfterDeep: 0, wrongOfReplaced: 0 }
    for (let number = seed; number < seed + histories; number += 1) {
      const counts = await playKept(number).catch((error) => {
        throw new Error(`the history of the seed ${number}: ${error.message}`, { cause: error })
      })
      for (const name of Object.keys(totals) as (keyof typeof totals)[])
        totals[name] += counts[name]
    }
    const { kept, indexed, keptAtEnd, wrongAfterDeep, wrongOfReplaced } = totals
    // The histories would prove nothing if nothing were kept in them.
    expect(kept / (kept + indexed)).toBeGreaterThan(0.5)
    expect(keptAtEnd / (2 * histories)).toBeGreaterThan(0.9)
    expect(wrongAfterDeep / kept).toBeLessThan(0.001)
    expect(wrongOfReplaced).toBeLessThanOrEqual(1 + histories / 10_000)
  })
})

// The seed of a failure.
test('an answer may be wrong in what both passes have read from replaced branches that agree', async () => {
  // Another order of calls makes another history of it.
  await expect(playKept(842_190_135)).resolves.toBeDefined()
})

describe('what can be wrong in a snapshot', () => {
  const [a = addressOf(0), b = addressOf(0)] = wallets
  let hashes = 0

  /** A block after another one, with the owners of tokens in the order of their identifiers. */
  function blockAfter(parent: ModelBlock | undefined, ...owners: (typeof a)[]): ModelBlock {
    hashes += 1
    return {
      ...{ number: (parent?.number ?? 0) + 1, hash: `${hashes}`, at: 0, events: [] },
      ...(parent && { parent }),
      state: new Map(owners.map((owner, index) => [id(index + 1), new Map([[owner, 1n]])])),
    }
  }

  const begin = blockAfter(undefined, b, b, b)
  const replaced = blockAfter(begin, a, a, b)
  const afterReplaced = blockAfter(replaced, a, a, b)
  const replacedLater = blockAfter(begin, a, b, b)
  const before = blockAfter(begin, b, a, b)
  const head = blockAfter(before, b, b, b)

  /** The pairs that can be wrong in the snapshot of two passes, each with a page of the first wallet and one of the others. */
  function pairsAfter(first: ModelBlock[], second: ModelBlock[]) {
    const passes: ReadPasses = new Map()
    for (const [pass, blocks] of [
      [{ id: '1' }, first],
      [{ id: '2', first: '1' }, second],
    ] as const)
      for (const [index, block] of blocks.entries())
        noteRead(
          passes,
          { ...pass, pageKey: index === 0 ? undefined : a },
          { upTo: index === 0 ? a : undefined, block },
        )
    const isOfReplaced = pairsOfReplaced(passes, { id: '2', since: head.number }, head)
    return [a, b].flatMap((wallet) =>
      [1, 2, 3]
        .filter((token) => isOfReplaced(wallet, id(token)))
        .map((token) => `${wallet === a ? 'a' : 'b'}${token}`),
    )
  }

  test('is what both passes say of replaced blocks, and the chain does not', () => {
    expect(pairsAfter([replaced, replaced], [replacedLater, replacedLater])).toEqual(['a1', 'b1'])
    expect(pairsAfter([replaced, replaced], [replacedLater, head])).toEqual(['a1'])
  })

  test('is nothing that both have read from one branch, as the second one waits until the first one has settled', () => {
    expect(pairsAfter([replaced, replaced], [afterReplaced, afterReplaced])).toEqual([])
    expect(pairsAfter([afterReplaced, afterReplaced], [replaced, replaced])).toEqual([])
  })

  test('is nothing of which one of them has read a block of the chain, or no page', () => {
    expect(pairsAfter([before, before], [replaced, replaced])).toEqual([])
    expect(pairsAfter([replaced, replaced], [before, before])).toEqual([])
    expect(pairsAfter([replaced], [])).toEqual([])
  })
})
