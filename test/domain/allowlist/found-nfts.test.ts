import { expect, test } from 'vitest'
import { findFew } from '../../../lib/domain/allowlist/allowlist-selection.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { BindingId } from '../../../lib/domain/nft/nft.ts'
import type { AllowedEntry } from '../../../lib/domain/ports/allowlist.ts'

/** Token identifiers in the order of numbers. */
const ids = (count: number, step: number) =>
  Array.from({ length: count }, (_, index) => `${index * step}` as TokenId)

test.each([
  ['no', ids(0, 1), 0],
  ['ten', ids(10, 300), 0],
  ['just fewer than are read', ids(999, 7), 0],
  ['as many as are read, which end among the entries', ids(1_000, 1), 200],
  ['more than are read', ids(3_000, 1), 200],
])(
  'finds what a look-up of each finds, with %s identifiers on the allowlist',
  async (_, listed, looked) => {
    const [one, two] = ['one', 'two'] as BindingId[] as [BindingId, BindingId]
    const isListed = new Set(listed)
    const entries = ids(400, 5).flatMap((tokenId, index) => [
      { bindingId: one, tokenId },
      ...(index % 20 === 0 ? [{ bindingId: two, tokenId }] : []),
    ])
    let lookedUp = 0
    const found = await findFew({
      findAllowed: async <Entry extends AllowedEntry>(some: readonly Entry[]) => {
        lookedUp += some.filter(({ bindingId }) => bindingId === one).length
        return some.filter(({ tokenId }) => isListed.has(tokenId))
      },
      listIn: async (_, { first, last }, limit) =>
        listed.filter((id) => first <= BigInt(id) && BigInt(id) <= last).slice(0, limit),
    })(entries)
    expect(found).toEqual(entries.filter(({ tokenId }) => isListed.has(tokenId)))
    expect(lookedUp).toBe(looked)
  },
)
