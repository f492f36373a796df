import { grouped, type Step, step } from './logs-insights.ts'

/** Finds out why requests, messages and calls to other services failed, and since when. */
export const failuresByReason: Step = step(
  'Group the failures, in the log groups of the functions:',
  { subject: 'failures', name: 'by-reason', logs: 'functions' },
  'filter status >= 500 or workFailures > 0 or indexerFailures > 0 or kmsFailures > 0 or keySetFailures > 0',
  grouped('count() as failures', 'operation, kind, chain, code, reason, error, functionVersion'),
  'sort failures desc',
  'limit 50',
)

/** Finds out which credentials are refused, and since when. */
export const rejectionsByReason = (text: string): Step =>
  step(
    text,
    { subject: 'rejected-credentials', name: 'rejections-by-reason', logs: 'functions' },
    'filter status = 401',
    grouped(
      'count() as requests, count_distinct(player) as players, latest(player) as lastPlayer',
      'code, reason, kid, operation, productId',
    ),
    'sort requests desc',
    'limit 20',
  )

/** Reads the errors of the background worker, or of the deliveries to webhooks. */
export const readErrors = (text: string, subject: 'worker' | 'webhooks' = 'worker'): Step =>
  step(
    text,
    { subject, name: 'errors', logs: subject },
    'filter level = "ERROR"',
    'display @timestamp, kind, productId, error',
  )

/** Finds the products, and the chains that are followed, behind the calls of the indexer. */
export const productsByIndexerUnits: Step = step(
  'Find the products, in the log groups of the functions:',
  { subject: 'products', name: 'by-indexer-units', logs: 'functions' },
  'filter indexerCalls > 0',
  grouped(
    'count() as requests, sum(indexerCalls) as calls, sum(indexerUnits) as units',
    'productId, operation, kind, chain',
  ),
  'sort units desc',
  'limit 20',
)

/** Finds the products, and the chains that are followed, behind the requests of the table. */
export const productsByTableRequests: Step = step(
  'Find the operation and the product, in the log groups of the functions:',
  { subject: 'products', name: 'by-table-requests', logs: 'functions' },
  'filter dynamodbCalls > 0',
  grouped(
    'sum(dynamodbCalls) as calls, sum(dynamodbFailures) as failures',
    'productId, operation, kind, chain',
  ),
  'sort calls desc',
  'limit 20',
)
