import fc from 'fast-check'
import {
  cacheControl,
  chain,
  contract,
  type Happening,
  type History,
  type HistoryEvent,
  oneIn,
  player,
  type ReaderCall,
  token,
  wait,
} from './history.ts'

const listHappening = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: fc.constant('listInParts'), player, loses: oneIn(4) },
      call: fc.constantFrom<(ReaderCall | undefined)[]>(
        ...([undefined, 'keepPart', 'keepBegun', 'keptBegun', 'keep', 'kept'] as const),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move'), chain, token, to: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read'), player, cacheControl }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ kind: fc.constant('refresh'), contract },
      milliseconds: fc.constantFrom(500, 5_000, 20_000),
    }),
  },
) as fc.Arbitrary<Happening>

/** The chain is read before anything else, so that it is followed. */
const firstRead: HistoryEvent = { wait: 0, event: { kind: 'read', player: 0, cacheControl: 0 } }

/** A history of lists that are kept in parts: nearly every list takes several pages of the indexer. */
export const someListHistory: fc.Arbitrary<History> = fc.record({
  seed: fc.nat(2 ** 31),
  blockMilliseconds: fc.constantFrom(2_000, 450),
  pageSize: fc.constantFrom(1, 2, 3),
  rememberSeconds: fc.constantFrom(0, 45),
  rememberFollowedSeconds: fc.constant(86_400),
  logsPerMinute: fc.constant(1_000),
  events: fc
    .array(fc.record({ wait, event: listHappening }), { minLength: 2, maxLength: 8, size: 'max' })
    .map((events) => [firstRead, ...events]),
})
