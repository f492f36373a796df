import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFew } from '../../../lib/domain/allowlist/find-few.ts'
import { compareTokenIds, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { BindingId } from '../../../lib/domain/nft/nft.ts'
import type { AllowedEntry } from '../../../lib/domain/ports/allowlist.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

const ids = (most: number) =>
  fc
    .uniqueArray(fc.nat(9_999), { maxLength: most, size: 'max' })
    .map((numbers) => numbers.map((number) => `${number}` as TokenId).sort(compareTokenIds))

const situation = fc.record({ held: ids(600), listed: fc.oneof(ids(10), ids(3_000)) })

test('finds the same entries as a look-up of each, in their order, and looks up none that a shorter allowlist tells', async () => {
  const [one, two] = ['one', 'two'] as BindingId[] as [BindingId, BindingId]
  await checkAsync(
    fc.asyncProperty(situation, async ({ held, listed }) => {
      const isListed = new Set(listed)
      const entries = held.flatMap((tokenId, index) => [
        { bindingId: one, tokenId },
        ...(index % 20 === 0 ? [{ bindingId: two, tokenId }] : []),
      ])
      let lookedUp = 0
      const findAllowed = async <Entry extends AllowedEntry>(some: readonly Entry[]) => {
        lookedUp += some.filter(({ bindingId }) => bindingId === one).length
        return some.filter(({ tokenId }) => isListed.has(tokenId))
      }
      const listIn = async (
        _: BindingId,
        { first, last }: { first: bigint; last: bigint },
        limit: number,
      ) => listed.filter((id) => first <= BigInt(id) && BigInt(id) <= last).slice(0, limit)
      const found = await findFew({ findAllowed, listIn })(entries)
      expect(found).toEqual(entries.filter(({ tokenId }) => isListed.has(tokenId)))
      if (listed.length < 1_000 && held.length > 100) expect(lookedUp).toBe(0)
    }),
  )
})
