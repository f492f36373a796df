import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { alchemyIndexer } from '../lib/adapters/alchemy/alchemy-indexer.ts'
import { dynamoAllowedTokenIds } from '../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../lib/adapters/dynamodb/contracts.ts'
import { dynamoRefreshes } from '../lib/adapters/dynamodb/refreshes.ts'
import { openTable } from '../lib/adapters/dynamodb/table.ts'
import { secretsIndexerKey } from '../lib/adapters/secrets/indexer-key.ts'
import { parseWorkItem, sqsWorkQueue } from '../lib/adapters/sqs/work-queue.ts'
import { work } from '../lib/domain/background-work.ts'
import type { RefreshPorts } from '../lib/domain/refresh.ts'
import { type Deadline, workerReserveMilliseconds } from '../lib/domain/time-budget.ts'
import type { WorkItem } from '../lib/domain/work.ts'
import { downstreamCalls } from '../lib/observability/downstream-calls.ts'
import { logWork } from '../lib/observability/log.ts'

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
  const until = Date.now() + context.getRemainingTimeInMillis() - workerReserveMilliseconds
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = []
  for (const record of event.Records) {
    const isDone = await downstreamCalls.during(() => workOn(record, until, context))
    if (!isDone) batchItemFailures.push({ itemIdentifier: record.messageId })
  }
  return { batchItemFailures }
}

/** Does what a message asks for, and logs it; answers whether it succeeded. */
async function workOn(record: SQSRecord, until: Deadline, context: Context): Promise<boolean> {
  const startedAt = Date.now()
  let item: WorkItem | undefined
  const about = () => ({
    requestId: context.awsRequestId,
    functionName: context.functionName,
    messageId: record.messageId,
    kind: item?.kind,
    productId: item?.productId,
    durationMilliseconds: Date.now() - startedAt,
  })
  try {
    item = parseWorkItem(record.body)
    await work(item, until, ports)
    logWork(about())
    return true
  } catch (error) {
    logWork({ ...about(), error })
    return false
  }
}
