import { leastOfKind } from './metrics.ts'

/** What an alarm needs in order to go off while everything of a kind fails. */
interface Need {
  readonly alarm: string
  readonly when: string
  /** So many requests of the kind in a period of so many minutes. */
  readonly requests: number
  readonly minutes: number
  /** The requests of the kind that a player makes in a day. */
  readonly daily: keyof typeof dailyOfPlayer
}

/** A player that logs in once a day, because a player token is valid for 24 hours, and whose NFTs are read ten times. */
const dailyOfPlayer = { logins: 1, reads: 10, requests: 11 } as const

/** So many logins are in three of eight buckets, on average: 8/8 + 8/7 + 8/6. */
const loginsInThreeBuckets = 4

const needs: readonly Need[] = [
  {
    alarm: 'indexer-failures',
    when: 'every read fails',
    ...{ requests: leastOfKind, minutes: 30, daily: 'reads' },
  },
  {
    alarm: 'indexer-failures',
    when: '20 calls of the indexer fail, and 1 % of them, which takes more from 9,600 players on',
    ...{ requests: 20, minutes: 30, daily: 'reads' },
  },
  {
    alarm: 'login-failures',
    when: 'every login fails, because of the service or of the key, the issuer or the audience',
    ...{ requests: loginsInThreeBuckets, minutes: 30, daily: 'logins' },
  },
  {
    alarm: 'login-failures',
    when: '10 calls to KMS fail',
    ...{ requests: 10, minutes: 30, daily: 'logins' },
  },
  {
    alarm: 'server-errors',
    when: 'every request fails',
    ...{ requests: 5, minutes: 5, daily: 'requests' },
  },
  {
    alarm: 'server-errors',
    when: 'every login fails, and nothing else',
    ...{ requests: 5, minutes: 5, daily: 'logins' },
  },
  {
    alarm: 'all-requests-fail',
    when: 'every request of a running game fails',
    ...{ requests: leastOfKind, minutes: 30, daily: 'requests' },
  },
  {
    alarm: 'key-set-failures',
    when: 'every request for the key set of a login fails',
    ...{ requests: leastOfKind, minutes: 30, daily: 'logins' },
  },
  {
    alarm: 'all-sign-ins-fail',
    when: 'every sign-in with a wallet fails',
    ...{ requests: leastOfKind, minutes: 30, daily: 'logins' },
  },
  {
    alarm: 'old-answers',
    when: 'the indexer stands still, for ten minutes before',
    ...{ requests: leastOfKind, minutes: 30, daily: 'reads' },
  },
  {
    alarm: 'slow-indexer-calls',
    when: 'every call of the indexer is slow',
    ...{ requests: 20, minutes: 5, daily: 'reads' },
  },
  {
    alarm: 'rejected-credentials',
    when: 'every read is refused',
    ...{ requests: 100, minutes: 5, daily: 'reads' },
  },
  {
    alarm: 'rejected-credentials',
    when: 'every login is refused',
    ...{ requests: 100, minutes: 5, daily: 'logins' },
  },
  {
    alarm: 'all-credentials-rejected',
    when: 'every read is refused, because of the key, the issuer, the audience or the table',
    ...{ requests: leastOfKind, minutes: 30, daily: 'reads' },
  },
]

const minutesOfDay = 24 * 60

const playersFor = ({ requests, minutes, daily }: Need): number =>
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
        (need) =>
          `| [${need.alarm}](#${need.alarm}) | ${need.when} | ${playersFor(need).toLocaleString('en')} |`,
      ),
    ].join('\n'),
  ].join('\n\n')
