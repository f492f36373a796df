import type * as sdk from '@aws-sdk/client-sqs'
import * as v from 'valibot'
import type { TokenId } from '../../domain/allowlist/token-id.ts'
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
import { brandedText } from '../branded-text.ts'

export const sqs: AwsService = {
  name: 'SQS',
  signingName: 'sqs',
  counted: 'sqs',
  target: 'AmazonSQS',
  version: '1.0',
  // Asks for the names that errors had before SQS spoke JSON, as every client of SQS has to.
  headers: { 'x-amzn-query-mode': 'true' },
}

export const SendMessageCommand = commandOf<sdk.SendMessageCommand>('SendMessage')

const maxDelaySeconds = 900

/** The background work queue on SQS: one JSON message for each work item. */
export function sqsWorkQueue(): WorkQueue {
  const { queueUrl, sweepDelaySeconds } = queueSettings()
  const client = awsClient(sqs)
  const delays: Readonly<Partial<Record<WorkItem['kind'], number>>> = {
    sweep: sweepDelaySeconds,
    // The product ends shortly after the message is sent, and its time counts from its end.
    deleteProduct: Math.min(sweepDelaySeconds + 1, maxDelaySeconds),
  }
  return {
    async send(item, delaySeconds = delays[item.kind] ?? 0) {
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

/** The content of a message. A contract of a product in it has no ranges, which the worker reads from the table. */
function messageOf(item: WorkItem): WorkItem {
  if (item.kind !== 'sweep' && item.kind !== 'refresh') return item
  const { chain, address, bindingId } = item.contract
  return { ...item, contract: { chain, address, bindingId } }
}

const chain = v.picklist(chainNames)
const contract = v.object({ chain, address: brandedText<Address>() })

const ofProduct = {
  productId: brandedText<ProductId>(),
  contract: v.object({ ...contract.entries, bindingId: brandedText<BindingId>() }),
}

const walletTokens = v.array(
  v.object({ wallet: brandedText<Address>(), tokenId: brandedText<TokenId>() }),
)

const suspicion = v.object({
  id: v.string(),
  block: v.number(),
  wallets: v.array(brandedText<Address>()),
  pairs: walletTokens,
})

const look = v.object({
  chain,
  from: v.number(),
  to: v.number(),
  contracts: v.array(
    v.object({
      address: brandedText<Address>(),
      id: v.string(),
      since: v.number(),
      isSuspected: v.exactOptional(v.literal(true)),
    }),
  ),
})

const workItem = v.variant('kind', [
  v.object({ kind: v.literal('sweep'), ...ofProduct }),
  v.object({
    kind: v.literal('refresh'),
    ...ofProduct,
    refreshId: v.string(),
    eventId: v.exactOptional(v.string()),
  }),
  v.object({ kind: v.literal('deleteProduct'), productId: brandedText<ProductId>() }),
  v.object({ kind: v.literal('upkeep') }),
  v.object({ kind: v.literal('snapshot'), contract, turn: v.number() }),
  v.object({
    kind: v.literal('prefetch'),
    contract,
    after: v.exactOptional(brandedText<TokenId>()),
    looked: v.number(),
  }),
  v.object({
    kind: v.literal('audit'),
    contract,
    suspicion: v.exactOptional(suspicion),
    until: v.exactOptional(v.number()),
  }),
  v.object({ kind: v.literal('secondLook'), look, until: v.number() }),
  v.object({ kind: v.literal('dueMetadata'), chain }),
  v.object({
    kind: v.literal('deleteLists'),
    snapshot: v.object({ ...contract.entries, id: v.string() }),
  }),
])

/** Parses a message of {@link sqsWorkQueue}. Throws for any other message. */
export const parseWorkItem = (message: string): WorkItem => v.parse(workItem, JSON.parse(message))
