import { grouped, type Step } from './logs-insights.ts'

/** Finds out why requests, messages and calls to other services failed, and since when. */
export const failuresByReason: Step = {
  text: 'Group the failures, in the log groups of the functions:',
  query: {
    subject: 'failures',
    name: 'by-reason',
    logs: 'functions',
    commands: [
      'filter status >= 500 or workFailures > 0 or indexerFailures > 0 or kmsFailures > 0 or keySetFailures > 0',
      grouped(
        'count() as failures',
        'operation, kind, chain, code, reason, error, functionVersion',
      ),
      'sort failures desc',
      'limit 50',
    ],
  },
}

/** Finds out which credentials are refused, and since when. */
export const rejectionsByReason = (text: string): Step => ({
  text,
  query: {
    subject: 'rejected-credentials',
    name: 'rejections-by-reason',
    logs: 'functions',
    commands: [
      'filter status = 401',
      grouped(
        'count() as requests, count_distinct(player) as players, latest(player) as lastPlayer',
        'code, reason, kid, operation, productId',
      ),
      'sort requests desc',
      'limit 20',
    ],
  },
})

/** Reads the errors of the background worker, or of the deliveries to webhooks. */
export const readErrors = (text: string, subject: 'worker' | 'webhooks' = 'worker'): Step => ({
  text,
  query: {
    subject,
    name: 'errors',
    logs: subject,
    commands: ['filter level = "ERROR"', 'display @timestamp, kind, productId, error'],
  },
})

/** Finds the products, and the chains that are followed, behind the calls of the indexer. */
export const productsByIndexerUnits: Step = {
  text: 'Find the products, in the log groups of the functions:',
  query: {
    subject: 'products',
    name: 'by-indexer-units',
    logs: 'functions',
    commands: [
      'filter indexerCalls > 0',
      grouped(
        'count() as requests, sum(indexerCalls) as calls, sum(indexerUnits) as units',
        'productId, operation, kind, chain',
      ),
      'sort units desc',
      'limit 20',
    ],
  },
}

/** Finds the products, and the chains that are followed, behind the requests of the table. */
export const productsByTableRequests: Step = {
  text: 'Find the operation and the product, in the log groups of the functions:',
  query: {
    subject: 'products',
    name: 'by-table-requests',
    logs: 'functions',
    commands: [
      'filter dynamodbCalls > 0',
      grouped(
        'sum(dynamodbCalls) as calls, sum(dynamodbFailures) as failures',
        'productId, operation, kind, chain',
      ),
      'sort calls desc',
      'limit 20',
    ],
  },
}
