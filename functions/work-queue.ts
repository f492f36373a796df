import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { alchemyIndexer } from '../lib/adapters/alchemy/alchemy-indexer.ts'
import { dynamoAllowedTokenIds } from '../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../lib/adapters/dynamodb/contracts.ts'
import { dynamoRefreshes } from '../lib/adapters/dynamodb/refreshes.ts'
import { openTable } from '../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../lib/adapters/secrets/indexer-key.ts'
import { parseWorkItem, sqsWorkQueue } from '../lib/adapters/sqs/work-queue.ts'
import { work } from '../lib/domain/background-work.ts'
import type { RefreshPorts } from '../lib/domain/refresh.ts'
import { logWork } from '../lib/http/log.ts'

/** How long before its end the worker begins nothing new, in milliseconds. */
const reserveMilliseconds = 20_000

const table = openTable()

const ports: RefreshPorts = {
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
  refreshes: dynamoRefreshes(table),
  indexer: alchemyIndexer(secretsIndexerKey()),
  workQueue: sqsWorkQueue(),
}

/**
 * The background worker (D19, D31): does one message after the other; those that fail are left in the
 * queue and come again, until the queue sets them aside.
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const until = Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = []
  for (const { messageId, body } of event.Records) {
    try {
      const item = parseWorkItem(body)
      await work(item, until, ports)
      logWork({ messageId, kind: item.kind, productId: item.productId })
    } catch (error) {
      logWork({ messageId, error })
      batchItemFailures.push({ itemIdentifier: messageId })
    }
  }
  return { batchItemFailures }
}
