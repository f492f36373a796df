import { leastOfKind } from './metrics.ts'

/**
 * What an alarm needs in order to go off while everything of a kind fails: so many requests of the kind in a period of
 * so many minutes, and the requests of the kind that a player makes in a day.
 */
type Need = readonly [
  alarm: string,
  when: string,
  requests: number,
  minutes: number,
  daily: keyof typeof dailyOfPlayer,
]

/** A player that logs in once a day, because a player token is valid for 24 hours, and whose NFTs are read ten times. */
const dailyOfPlayer = { logins: 1, reads: 10, requests: 11 } as const

/** So many logins are in three of eight buckets, on average: 8/8 + 8/7 + 8/6. */
const loginsInThreeBuckets = 4

const needs: readonly Need[] = [
  ['indexer-failures', 'every read fails', leastOfKind, 30, 'reads'],
  [
    'indexer-failures',
    '20 calls of the indexer fail, and 1 % of them, which takes more from 9,600 players on',
    20,
    30,
    'reads',
  ],
  [
    'login-failures',
    'every login fails, because of the service or of the key, the issuer or the audience',
    loginsInThreeBuckets,
    30,
    'logins',
  ],
  ['login-failures', '10 calls to KMS fail', 10, 30, 'logins'],
  ['server-errors', 'every request fails', 5, 5, 'requests'],
  ['server-errors', 'every login fails, and nothing else', 5, 5, 'logins'],
  ['all-requests-fail', 'every request of a running game fails', leastOfKind, 30, 'requests'],
  ['key-set-failures', 'every request for the key set of a login fails', leastOfKind, 30, 'logins'],
  ['all-sign-ins-fail', 'every sign-in with a wallet fails', leastOfKind, 30, 'logins'],
  ['old-answers', 'the indexer stands still, for ten minutes before', leastOfKind, 30, 'reads'],
  ['slow-indexer-calls', 'every call of the indexer is slow', 20, 5, 'reads'],
  ['rejected-credentials', 'every read is refused', 100, 5, 'reads'],
  ['rejected-credentials', 'every login is refused', 100, 5, 'logins'],
  [
    'all-credentials-rejected',
    'every read is refused, because of the key, the issuer, the audience or the table',
    leastOfKind,
    30,
    'reads',
  ],
]

const minutesOfDay = 24 * 60

const playersFor = (requests: number, minutes: number, daily: Need[4]): number =>
  Math.ceil((requests * minutesOfDay) / minutes / dailyOfPlayer[daily])

/** The section of docs/alarms.md that says from how many players on which alarm works (D138). */
export const playersTable = (): string =>
  [
    '## From how many players on an alarm works',
    'An alarm on requests needs some of them. The numbers are daily players, each of whom logs in once and has NFTs that are asked for ten times at the indexer, evenly over the day. At an hour with a quarter of the traffic, it takes four times as many. The alarms that are not here do not depend on the number of players.',
    [
      '| alarm | is on when | from daily players |',
      '| --- | --- | ---: |',
      ...needs.map(
        ([alarm, when, ...counts]) =>
          `| [${alarm}](#${alarm}) | ${when} | ${playersFor(...counts).toLocaleString('en')} |`,
      ),
    ].join('\n'),
  ].join('\n\n')
