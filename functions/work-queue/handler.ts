import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { alchemyIndexer } from '../../lib/adapters/alchemy/alchemy-indexer.ts'
import { dynamoAllowedTokenIds } from '../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../lib/adapters/dynamodb/contracts.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoProductDeletions } from '../../lib/adapters/dynamodb/product-deletions.ts'
import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductUse } from '../../lib/adapters/dynamodb/product-use.ts'
import { dynamoRefreshes } from '../../lib/adapters/dynamodb/refreshes.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoUsageCounters } from '../../lib/adapters/dynamodb/usage-counters.ts'
import { secretsIndexerKey } from '../../lib/adapters/secrets/indexer-key.ts'
import { parseWorkItem, sqsWorkQueue } from '../../lib/adapters/sqs/work-queue.ts'
import { IndexerUnavailable, ServiceUnavailable } from '../../lib/domain/failures.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import {
  type Deadline,
  workerAnswerMilliseconds,
  workerReserveMilliseconds,
} from '../../lib/domain/time-budget.ts'
import { processUpkeepItem } from '../../lib/domain/upkeep/process-upkeep-item.ts'
import type { UpkeepPorts } from '../../lib/domain/upkeep/upkeep-ports.ts'
import { usageRecorder } from '../../lib/domain/usage/usage-recorder.ts'
import { processWorkItem, type WorkPorts } from '../../lib/domain/work/process-work-item.ts'
import type { WorkItem } from '../../lib/domain/work/work-item.ts'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { invocationOf } from '../../lib/observability/invocation.ts'
import { logWork, type WorkLine, type WorkResult } from '../../lib/observability/log.ts'
import { indexerLimits, refreshSettings } from '../../lib/settings/limits.ts'
import { queueSettings } from '../../lib/settings/resources.ts'
import { callBudget, upkeepPorts } from '../composition/upkeep-ports.ts'

const table = openTable()

const indexerKey = secretsIndexerKey()

const ofUpkeep = upkeepPorts(table, indexerKey)

const ports: WorkPorts = {
  productAccess: dynamoProductAccess(table),
  contracts: dynamoContracts(table),
  allowedTokenIds: dynamoAllowedTokenIds(table),
  refreshes: dynamoRefreshes(table),
  events: dynamoProductEvents(table),
  indexer: alchemyIndexer(indexerKey),
  workQueue: sqsWorkQueue(),
  productDeletions: dynamoProductDeletions(table),
  sweepDelaySeconds: queueSettings().sweepDelaySeconds,
  refreshedMetadata: ofUpkeep,
  ...refreshSettings(),
}

const productUse = dynamoProductUse(table, indexerLimits())

/** Messages are rare, so the counts of a message do not wait for the next message. */
const usage = usageRecorder(dynamoUsageCounters(table), 0)

const upkeep: UpkeepPorts = {
  ...ports,
  ...ofUpkeep,
  callBudget: callBudget(ofUpkeep.contractUses, productUse, countIndexerCalls),
}

/**
 * The background worker (D19, D31, D45, D153): processes one message after the other. Failed messages stay in the
 * queue and are delivered again, until the queue moves them to its dead-letter queue. A message fails
 * before Lambda ends the function, and no call begins after that (D38).
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const until = Date.now() + context.getRemainingTimeInMillis() - workerReserveMilliseconds
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = []
  for (const record of event.Records) {
    const isDone = await downstreamCalls.during(() => processMessage(record, until, context))
    if (!isDone) batchItemFailures.push({ itemIdentifier: record.messageId })
  }
  return { batchItemFailures }
}

const outOfTime = () => new ServiceUnavailable('the worker ran out of time')

/** Processes a message and logs the result; returns whether it succeeded. */
async function processMessage(record: SQSRecord, until: Deadline, context: Context) {
  const startedAt = Date.now()
  let item: WorkItem | undefined
  const lineOf = () => ({
    ...invocationOf(context, 'work-queue'),
    messageId: record.messageId,
    kind: item?.kind,
    ...(item && subjectOf(item)),
    durationMilliseconds: Date.now() - startedAt,
  })
  try {
    item = parseWorkItem(record.body)
    const milliseconds = context.getRemainingTimeInMillis() - workerAnswerMilliseconds
    const result = await inTime(processItem(item, until), milliseconds, outOfTime)
    logWork({ ...lineOf(), ...result })
    return true
  } catch (error) {
    const indexerUnavailableMessages = error instanceof IndexerUnavailable ? 1 : undefined
    logWork({ ...lineOf(), error, indexerUnavailableMessages })
    return false
  }
}

/** Processes an item. Returns what its log line says of the result. */
async function processItem(item: WorkItem, until: Deadline): Promise<WorkResult> {
  if (!('productId' in item)) return await processUpkeepItem(item, until, upkeep)
  try {
    return { deleted: await processWorkItem(item, until, ports) }
  } finally {
    countIndexerCalls(item.productId, downstreamCalls.counts().indexerCalls)
  }
}

function subjectOf(item: WorkItem): Pick<WorkLine, 'productId' | 'chain' | 'contract'> {
  if ('productId' in item) return { productId: item.productId }
  if (item.kind === 'upkeep') return {}
  if (item.kind === 'dueMetadata') return { chain: item.chain }
  if (item.kind === 'secondLook') return { chain: item.look.chain }
  const { chain, address } = item.kind === 'deleteLists' ? item.snapshot : item.contract
  return { chain, contract: address }
}

/** Counts indexer calls in the background: against the limits of a product, and in its usage (D47, D55). */
function countIndexerCalls(productId: ProductId, indexerCalls = 0): void {
  if (indexerCalls === 0) return
  downstreamCalls.beside(productUse.add(productId, indexerCalls))
  usage.count({ productId, indexerCalls })
  downstreamCalls.beside(usage.writeDue())
}

/** Waits for a result for this time, in milliseconds. Then throws the error of `late`. */
async function inTime<Result>(result: Promise<Result>, milliseconds: number, late: () => Error) {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, milliseconds))
  })
  try {
    return await Promise.race([result, timeout])
  } finally {
    clearTimeout(timer)
  }
}
