import * as v from 'valibot'

// The items of the follower of a chain (D66). The follower writes them with lib/adapters/dynamodb/follow-notes.ts,
// and reads of players' NFTs use them as evidence (D65). All times but `expiresAt` are in milliseconds since 1970.

const block = v.object({ number: v.number(), at: v.number() })

/** How far the events of watched contracts are logged (D117), with the step of the position that it was written with. */
export const logPosition = v.object({
  loggedUpTo: block,
  contracts: v.number(),
  step: v.number(),
})

/** How far a followed chain is read: the part that readers need. The item also has the lease of the follower. Readers write `askedAt`. */
export const followPositionItem = v.object({
  head: v.object({ ...block.entries, hash: v.string() }),
  confirmedUpTo: v.number(),
  distrustedBefore: v.number(),
  step: v.optional(v.number()),
  askedAt: v.optional(v.number()),
})

const hashedBlock = v.object({ ...block.entries, hash: v.string() })

/** How far the events of kept contracts may settle, with the step of the position that it was written with. */
const settlingPosition = v.object({
  declared: hashedBlock,
  declaredBefore: hashedBlock,
  answer: v.optional(
    v.object({
      readUpTo: v.number(),
      answeredAt: v.number(),
      events: v.record(v.string(), v.array(v.strictTuple([v.number(), v.string()]))),
    }),
  ),
  step: v.number(),
})

/** The position as the follower needs it. The item is replaced as a whole, but for the lease. */
export const followerPositionItem = v.object({
  ...followPositionItem.entries,
  /** A position of an earlier release confirms nothing. */
  confirmedUpTo: v.optional(v.number(), 0),
  overlap: v.object({
    blocks: v.pipe(
      v.array(v.object({ ...block.entries, hash: v.string(), readAt: v.optional(v.number()) })),
      v.minLength(1),
    ),
    events: v.record(v.string(), v.array(v.string())),
  }),
  step: v.number(),
  log: v.optional(
    v.object({ ...logPosition.entries, seen: v.record(v.string(), v.array(v.number())) }),
  ),
  /** One of another form ends snapshots, and nothing else. */
  settling: v.fallback(v.optional(settlingPosition), undefined),
})

/**
 * A followed contract. Readers write `leasedUntil` and `expiresAt`, and the follower writes the rest. A reader that
 * finds less than {@link leaseMarginMilliseconds} of the lease left, or none, removes `since` with the write that
 * renews it: the follower may have stopped noting the events of the contract. The follower writes `since` for a
 * contract without it, and never for one whose lease has ended.
 */
export const followedContractItem = v.object({
  /** The indexer refuses every question that contains something other than an address. */
  sk: v.pipe(v.string(), v.regex(/#0x[0-9a-f]{40}$/)),
  leasedUntil: v.optional(v.number(), 0),
  /** The block from which on every event is noted, and the step that noted it; absent while the contract is not followed. */
  since: v.optional(v.object({ ...block.entries, step: v.optional(v.number()) })),
  suspendedUntil: v.optional(v.number()),
  /** The latest time of a metadata event (ERC-4906). */
  metadataChangedAt: v.optional(v.number()),
})

/** A followed contract as the follower needs it. */
export const followerContractItem = v.object({
  ...followedContractItem.entries,
  /** Until when its events are logged, and webhooks are told of them, and whether they are logged (D117, D122). */
  watchedUntil: v.optional(v.number()),
  pushedUntil: v.optional(v.number()),
  /** The end of the latest suspension because the source refused (D139). An earlier release leaves it. */
  refusedUntil: v.optional(v.number()),
  isLogged: v.optional(v.literal(true)),
})

/** The latest movement of a contract's NFTs from or to a wallet. A write never lowers it. */
export const movementItem = v.object({ sk: v.string(), block: v.number(), at: v.number() })

/** The lease of a contract that a reader writes, in milliseconds. */
export const leaseMilliseconds = 24 * 3_600_000

/** A reader renews a lease that ends in less than this time, in milliseconds: at most once an hour. */
export const leaseRenewalMilliseconds = 23 * 3_600_000

/** The part of a lease in which readers do not rely on it, because clocks differ, in milliseconds. */
export const leaseMarginMilliseconds = 3_600_000

/** How long a note of a movement is kept, in seconds: longer than any reading that it concerns. */
export const movementRetentionSeconds = 2 * 86_400
