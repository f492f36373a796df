import type { ExhaustedLimit } from '../../clients/typescript/src/types.ts'

/** A limit as the API shows it (D47), also one of a later version. A limit of a total has no period. */
type LimitFacts = Omit<ExhaustedLimit, 'name'> & { name: string }

const meanings = new Map(
  Object.entries({
    registrations: 'Registrations of games',
    registrations_by_address: 'Registrations of games from your address',
    indexer_calls_by_minute: 'Indexer calls',
    indexer_calls_by_day: 'Indexer calls',
    client_indexer_calls_by_minute: 'Indexer calls of games without a key',
    client_indexer_calls_by_day: 'Indexer calls of games without a key',
    client_reads: 'Calls of one player from games without a key',
    allowlisted_nfts: 'NFTs added',
    nfts: 'NFTs on all allowlists',
    new_keys: 'New keys',
    webhook_tests: 'Tests of webhooks',
    webhook_tests_by_host: 'Tests of webhooks on the same host',
    webhook_replays: 'Replays of a webhook',
  }),
)

const periods = new Map([
  [60, 'a minute'],
  [3_600, 'an hour'],
  [86_400, 'a day'],
])

/** What a limit counts, in words. The name of a limit that is not known is its meaning. */
export const limitMeaning = (name: string): string => meanings.get(name) ?? name

/** How much a limit permits: `520 a day`, or `1,000,000 in all` without a period. */
export function limitAmount({ count, perSeconds }: Omit<LimitFacts, 'name'>): string {
  const period =
    perSeconds === undefined ? 'in all' : (periods.get(perSeconds) ?? `in ${perSeconds} seconds`)
  return `${count.toLocaleString('en')} ${period}`
}

/** A limit in words: `Indexer calls: 520 a day`. */
export const limitInWords = (limit: LimitFacts): string =>
  `${limitMeaning(limit.name)}: ${limitAmount(limit)}`
