import type { ContractWithRanges, Nft } from '../nft/nft.ts'
import type { AllowedEntry, AllowedTokenIds, FindAllowed } from '../ports/allowlist.ts'
import { compareTokenIds } from './token-id.ts'
import { rangeWith } from './token-ranges.ts'

/** Returns the selection of NFTs. `contractOf`: the connection of each; `undefined`: it is not allowlisted. */
export function selection<Each extends Nft>(
  nfts: readonly Each[],
  contractOf: (nft: Each) => ContractWithRanges | undefined,
) {
  const allowed = new Set<Each>()
  const entries = nfts.flatMap((nft) => {
    const { ranges, bindingId } = contractOf(nft) ?? {}
    if (!ranges || !bindingId) return []
    const isInRange = ranges.length > 0 && rangeWith(ranges, BigInt(nft.tokenId)) !== undefined
    if (isInRange) allowed.add(nft)
    return isInRange ? [] : [{ nft, bindingId, tokenId: nft.tokenId }]
  })
  return {
    /** How many of them have to be looked up: those in no range (D57). */
    lookups: entries.length,
    async allowed({ findAllowed }: Pick<AllowedTokenIds, 'findAllowed'>): Promise<Each[]> {
      const found = entries.length === 0 ? [] : await findAllowed(entries)
      for (const { nft } of found) allowed.add(nft)
      return nfts.filter((nft) => allowed.has(nft))
    },
  }
}

/** The most identifiers of an allowlist that are read at once. They take the read units of a third of a look-up of 100 entries. */
const maxListed = 1_000

/** The most entries of a connection that are looked up without reading its allowlist. */
const maxLookedUp = 100

/**
 * Finds the allowlisted ones of entries that are many, and probably not allowlisted: of a connection with many, the part of the allowlist
 * is read in which the entries are, and only what this does not tell is looked up. So the shorter list decides about the cost. The entries of a
 * connection have to be in the order of numbers.
 */
export const findFew =
  ({ findAllowed, listIn }: Pick<AllowedTokenIds, 'findAllowed' | 'listIn'>): FindAllowed =>
  async (entries) => {
    const connections = [...Map.groupBy(entries, ({ bindingId }) => bindingId).values()]
    const found = await Promise.all(
      connections.map((its) =>
        its.length <= maxLookedUp ? findAllowed(its) : findListed(its, { findAllowed, listIn }),
      ),
    )
    const isFound = new Set(found.flat())
    return entries.filter((entry) => isFound.has(entry))
  }

async function findListed<Entry extends AllowedEntry>(
  entries: readonly Entry[],
  { findAllowed, listIn }: Pick<AllowedTokenIds, 'findAllowed' | 'listIn'>,
): Promise<Entry[]> {
  const [first, last] = [entries[0], entries.at(-1)] as [Entry, Entry]
  const range = { first: BigInt(first.tokenId), last: BigInt(last.tokenId) }
  const listed = await listIn(first.bindingId, range, maxListed)
  const isListed = new Set(listed)
  const end = listed.length < maxListed ? undefined : listed.at(-1)
  const rest = entries.filter(({ tokenId }) => end && compareTokenIds(tokenId, end) > 0)
  const known = entries.filter(({ tokenId }) => isListed.has(tokenId))
  return rest.length === 0 ? known : [...known, ...(await findAllowed(rest))]
}
