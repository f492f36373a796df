import type { SendMessageCommandInput, SendMessageCommandOutput } from '@aws-sdk/client-sqs'
import * as v from 'valibot'
import type { Address } from '../../domain/nft/address.ts'
import { chainNames } from '../../domain/nft/chain.ts'
import type { BindingId } from '../../domain/nft/nft.ts'
import type { WorkQueue } from '../../domain/ports/work-queue.ts'
import type { ProductId } from '../../domain/product/product.ts'
import type { WorkItem } from '../../domain/work/work-item.ts'
import { queueSettings } from '../../settings/resources.ts'
import type { AwsService } from '../aws/aws-attempts.ts'
import { awsClient } from '../aws/aws-client.ts'
import { commandOf } from '../aws/aws-command.ts'
import { written } from '../written.ts'

export const sqs: AwsService = {
  name: 'SQS',
  signingName: 'sqs',
  counted: 'sqs',
  target: 'AmazonSQS',
  version: '1.0',
  // Asks for the names that errors had before SQS spoke JSON, as every client of SQS has to.
  headers: { 'x-amzn-query-mode': 'true' },
}

export const SendMessageCommand = commandOf<SendMessageCommandInput, SendMessageCommandOutput>(
  'SendMessage',
)

/** The longest delay of a message, in seconds. */
const maxDelaySeconds = 900

/** The background work queue on SQS: one JSON message for each work item. */
export function sqsWorkQueue(): WorkQueue {
  const { queueUrl, sweepDelaySeconds } = queueSettings()
  const client = awsClient(sqs)
  const delays: Readonly<Record<WorkItem['kind'], number>> = {
    sweep: sweepDelaySeconds,
    refresh: 0,
    // The product ends shortly after the message is sent, and its time counts from its end.
    deleteProduct: Math.min(sweepDelaySeconds + 1, maxDelaySeconds),
  }
  return {
    async send(item, delaySeconds = delays[item.kind]) {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(messageOf(item)),
          DelaySeconds: delaySeconds,
        }),
      )
    },
  }
}

/** The content of a message. A contract in it has no ranges, which the worker reads from the table. */
function messageOf(item: WorkItem): WorkItem {
  if (item.kind === 'deleteProduct') return item
  const { chain, address, bindingId } = item.contract
  return { ...item, contract: { chain, address, bindingId } }
}

const common = {
  productId: written<ProductId>(),
  contract: v.object({
    chain: v.picklist(chainNames),
    address: written<Address>(),
    bindingId: written<BindingId>(),
  }),
}

const workItem = v.variant('kind', [
  v.object({ kind: v.literal('sweep'), ...common }),
  v.object({
    kind: v.literal('refresh'),
    ...common,
    refreshId: v.string(),
    eventId: v.exactOptional(v.string()),
  }),
  v.object({ kind: v.literal('deleteProduct'), productId: written<ProductId>() }),
])

/** Parses a message of {@link sqsWorkQueue}. Throws for any other message. */
export const parseWorkItem = (message: string): WorkItem => v.parse(workItem, JSON.parse(message))
