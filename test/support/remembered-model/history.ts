import fc from 'fast-check'
import type { NodeMood } from './simulated-events.ts'
import type { IndexerMood } from './simulated-indexer.ts'

/** What happens in a history, `wait` milliseconds after the event before it. */
export interface HistoryEvent {
  wait: number
  event: Happening
}

export type Happening =
  | { kind: 'move'; chain: 'POLYGON' | 'BSC'; token: number; to: number }
  | { kind: 'announce'; contract: number }
  | { kind: 'reorganise'; milliseconds: number; loses: boolean }
  | {
      kind: 'orphan'
      token: number
      to: number
      player: number
      milliseconds: number
      behind: number
      /** Whether the movement can be lost; by default it can. */
      loses?: boolean
    }
  | { kind: 'readBalance'; player: number; cacheControl: number }
  | { kind: 'read'; player: number; cacheControl: number }
  | { kind: 'sell' | 'stagger' | 'suspend' | 'nodeBehind'; player: number }
  | { kind: 'betweenPolls'; player: number; token: number; isMixed?: boolean }
  | { kind: 'switchBranch'; player: number; to: number; isMixed: boolean }
  | { kind: 'shareSecond'; player: number; of: 'move' | 'metadata' | 'follow' }
  | { kind: 'burst' | 'lateLease'; player: number; call: FollowerCall }
  | { kind: 'listInParts'; player: number; call?: ReaderCall | undefined; loses: boolean }
  | { kind: 'readPages'; player: number; cacheControl: number; limit: number; pause: number }
  | { kind: 'allow' | 'disallow'; chain: 'POLYGON' | 'BSC'; token: number }
  | { kind: 'reconnect'; contract: number }
  | { kind: 'disconnect'; contract: number; milliseconds: number }
  | { kind: 'refresh'; contract: number; milliseconds: number }
  | ({ kind: 'indexer' } & Pick<IndexerMood, 'isDown' | 'isRefused' | 'statedAge' | 'lag'>)
  | ({ kind: 'nodes' } & NodeMood)
  | { kind: 'kill'; moment: number }
  | { kind: 'killAt'; call: FollowerCall }
  | { kind: 'stall'; milliseconds: number }
  | { kind: 'double' }
  | { kind: 'gap'; milliseconds: number }
  | { kind: 'forget'; what: Tampering; token: number; to: number; player: number }
  | { kind: 'tamper'; what: Tampering }

/** A happening of one kind. */
export type HappeningOf<Name extends Happening['kind']> = Extract<Happening, { kind: Name }>

/** A port call of a follower that writes. */
type FollowerCall = 'noteMovements' | 'noteMetadata' | 'noteContracts' | 'moveTo' | 'movedTo'

/** A port call of a request that keeps what it has read, or the one after its last write. */
export type ReaderCall = 'keepPart' | 'keepBegun' | 'keptBegun' | 'keep' | 'kept'

/** What can be deleted or expire by itself in the table. */
export type Tampering = 'readings' | 'parts' | 'expiry' | 'position' | 'contract' | 'lease'

/** A deployment and what happens in it. */
export interface History {
  seed: number
  blockMilliseconds: number
  pageSize: number
  rememberSeconds: number
  rememberFollowedSeconds: number
  logsPerMinute: number
  /** Whether another chain is followed that is silent for the whole time of each step. */
  hasSilentChain?: boolean
  events: readonly HistoryEvent[]
}

export const chain = fc.constantFrom(
  'POLYGON' as const,
  'POLYGON' as const,
  'POLYGON' as const,
  'BSC' as const,
)
export const token = fc.nat(9)
export const player = fc.nat(2)
export const contract = fc.nat(2)
export const cacheControl = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.nat(99) },
)
/** The time of the blocks that a reorganisation replaces; at least one block. */
const reorganised = fc.constantFrom(1, 1, 6_000, 14_000, 45_000)
const call = fc.constantFrom<FollowerCall[]>(
  'noteMovements',
  'noteMetadata',
  'noteContracts',
  'moveTo',
  'movedTo',
)
export const oneIn = (count: number) => fc.nat(count - 1).map((number) => number === 0)

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('readBalance'), player, cacheControl }) },
  { weight: 25, arbitrary: fc.record({ kind: fc.constant('read'), player, cacheControl }) },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ kind: fc.constant('readPages'), player, cacheControl },
      ...{
        limit: fc.integer({ min: 1, max: 4 }),
        pause: fc.constantFrom(0, 2_000, 20_000, 80_000),
      },
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sell'), player }) },
  { weight: 16, arbitrary: fc.record({ kind: fc.constant('move'), chain, token, to: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('announce'), contract }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('reorganise'), loses: fc.boolean() },
      milliseconds: reorganised,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('orphan'), token, to: fc.nat(3), player },
      ...{ milliseconds: reorganised, behind: fc.constantFrom(0, 5_000) },
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('burst', 'lateLease'), player, call }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('stagger', 'stagger', 'suspend'), player }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('nodeBehind'), player }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('betweenPolls'), player, token },
      isMixed: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: fc.constant('switchBranch'), player, to: fc.nat(3), isMixed: fc.boolean() },
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ kind: fc.constant('shareSecond'), player },
      of: fc.constantFrom('move', 'metadata', 'follow', 'follow'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('allow', 'disallow'), chain, token }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reconnect'), contract }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ kind: fc.constant('disconnect'), contract },
      milliseconds: fc.constantFrom(1_000, 20_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ kind: fc.constant('refresh'), contract },
      milliseconds: fc.constantFrom(500, 5_000, 20_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: fc.constant('indexer'), isDown: oneIn(3), isRefused: oneIn(6) },
      statedAge: fc.constantFrom(0, 0, 0, undefined, 3_000, 20_000, 45_000),
      lag: fc.constantFrom('none', 'full', 'random'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant('nodes'), isDown: oneIn(4), behind: fc.constantFrom(0, 0, 5_000) },
      delay: fc.constantFrom(0, 0, 40_000),
      eventsLate: fc.constantFrom(0, 0, 15_000),
      ...{
        largestRange: fc.constantFrom(1_000, 1_000, 5),
        mostEvents: fc.constantFrom(100, 100, 1),
        mostEventsOfBlock: fc.constantFrom(100, 100, 100, 0),
        latency: fc.constantFrom(100, 100, 2_500),
      },
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('kill'), moment: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('killAt'), call }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('stall'),
      milliseconds: fc.constantFrom(10_000, 40_000, 65_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('double') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('gap'),
      milliseconds: fc.constantFrom(50_000, 90_000, 300_000, 3_700_000, 7_500_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant('forget'), token, to: fc.nat(3), player },
      what: fc.constantFrom('position', 'contract', 'contract', 'lease'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('tamper'),
      what: fc.constantFrom('readings', 'expiry', 'position', 'contract', 'lease'),
    }),
  },
) as fc.Arbitrary<Happening>

export const wait = fc.oneof(
  { weight: 4, arbitrary: fc.nat(1_500) },
  { weight: 4, arbitrary: fc.nat(8_000) },
  { weight: 2, arbitrary: fc.nat(25_000) },
)

/** A history of up to 30 events, which takes some minutes of its own time, or more than an hour with a gap. */
export const someHistory: fc.Arbitrary<History> = fc.record({
  seed: fc.nat(2 ** 31),
  blockMilliseconds: fc.constantFrom(2_000, 2_000, 5_000, 12_000, 450, 250, 250),
  pageSize: fc.constantFrom(2, 3, 100, 100),
  rememberSeconds: fc.constantFrom(0, 20, 45),
  rememberFollowedSeconds: fc.constantFrom(86_400, 86_400, 75),
  logsPerMinute: fc.constantFrom(1_000, 1),
  hasSilentChain: fc.boolean(),
  events: fc.array(fc.record({ wait, event: happening }), {
    minLength: 5,
    maxLength: 30,
    size: 'max',
  }),
})
