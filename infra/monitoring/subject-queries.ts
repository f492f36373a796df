import { grouped, type SavedQuery } from './logs-insights.ts'

/** A query about a subject that somebody asks for, and no alarm. */
type SubjectQuery = SavedQuery & { readonly subject: string }

/** The place of the digest of a player, and that of the id of a request, in a saved query. */
const anyDigest = '<digest>'
const anyId = '<id>'

/** The query of the requests of a player, by the digest that `npm run player-digest` prints (D72). */
export const playerQuery = (digest: string): SubjectQuery => ({
  subject: 'player',
  name: 'requests',
  logs: 'operations',
  commands: [
    'fields @timestamp, operation, productId, status, code, reason, kid, durationMilliseconds, requestId',
    `filter player = "${digest}"`,
    'sort @timestamp desc',
    'limit 1000',
  ],
})

/** Since when the requests of a player end as they do. */
const outcomesOfPlayer: SubjectQuery = {
  subject: 'player',
  name: 'outcomes',
  logs: 'operations',
  commands: [
    `filter player = "${anyDigest}"`,
    grouped('count() as requests', 'status, code, reason, kid, operation, productId'),
    'sort last desc',
  ],
}

/** All lines of a request, by the id that its answer has, or by that of its invocation. */
const linesOfRequest: SubjectQuery = {
  subject: 'request',
  name: 'lines',
  logs: 'all',
  commands: [
    'fields @timestamp, @log, @message',
    `filter requestId = "${anyId}" or lambdaRequestId = "${anyId}"`,
    'sort @timestamp',
  ],
}

/** What each product asks for. */
const requestsOfProducts: SubjectQuery = {
  subject: 'products',
  name: 'by-requests',
  logs: 'functions',
  commands: [
    'filter ispresent(productId)',
    grouped(
      'count() as requests, sum(indexerCalls) as calls',
      'productId, operation, kind, status',
    ),
    'sort requests desc',
    'limit 100',
  ],
}

/** The queries that the runbook uses beside those of the alarms. */
export const subjectQueries: readonly SubjectQuery[] = [
  playerQuery(anyDigest),
  outcomesOfPlayer,
  linesOfRequest,
  requestsOfProducts,
]
