import * as v from 'valibot'

// The items of the follower of a chain (D152), which it writes with lib/adapters/dynamodb/follow-notes.ts. All times but `expiresAt` are
// in milliseconds since 1970.

const block = v.object({ number: v.number(), at: v.number() })

/** How far the events of watched contracts are logged (D117). */
export const logPosition = v.object({ loggedUpTo: block, contracts: v.number() })

const hashedBlock = v.object({ ...block.entries, hash: v.string() })

/** How far the events of kept contracts may settle. */
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
})

const position = v.object({
  head: hashedBlock,
  confirmedUpTo: v.number(),
  blocks: v.pipe(
    v.array(v.object({ ...hashedBlock.entries, readAt: v.optional(v.number()) })),
    v.minLength(1),
  ),
  step: v.number(),
  log: v.optional(
    v.object({ ...logPosition.entries, seen: v.record(v.string(), v.array(v.number())) }),
  ),
  /** One of another form ends snapshots, and nothing else. */
  settling: v.fallback(v.optional(settlingPosition), undefined),
})

/**
 * How far a followed chain is read. The item is replaced as a whole, but for the lease of the follower. A damaged one is none: the chain is
 * then followed anew.
 */
export const followPositionItem = v.fallback(v.optional(position), undefined)

/** A contract whose events are logged (D117). Who reads its events writes `watchedUntil` and `pushedUntil`, and the follower the rest. */
export const followedContractItem = v.object({
  /** The indexer refuses every question that contains something other than an address. */
  sk: v.pipe(v.string(), v.regex(/#0x[0-9a-f]{40}$/)),
  suspendedUntil: v.optional(v.number()),
  /** Until when its events are logged, and webhooks are told of them, and whether they are logged (D117, D122). */
  watchedUntil: v.number(),
  pushedUntil: v.optional(v.number()),
  /** The end of the latest suspension because the source refused (D139). */
  refusedUntil: v.optional(v.number()),
  isLogged: v.optional(v.literal(true)),
})

/** When a read of kept contracts was last noted. */
export const latestReadItem = v.object({ askedAt: v.fallback(v.optional(v.number()), undefined) })
