import * as v from 'valibot'
import type { TokenId } from '../../domain/allowlist/token-id.ts'
import type { Address } from '../../domain/nft/address.ts'
import type { ContractKey } from '../../domain/nft/nft.ts'
import {
  type LogEntry,
  logRetentionMilliseconds,
  type Missed,
  type Transfer,
} from '../../domain/nft-events/nft-event.ts'
import type { PlacedEntry } from '../../domain/ports/nft-event-log.ts'
import { brandedText } from '../branded-text.ts'
import { logEntryKey, logPlaceFromKey, missedEntryKey } from './keys/follow-partition.ts'
import type { Key } from './keys/key.ts'

// The items of the logs of contracts (D117). The follower writes them, and the operation that reads the events of a product
// selects from them.

/** The most NFTs of a transfer in an item: 500 of the longest identifiers and amounts are 80 KB. */
export const tokensPerItem = 500

/** A block of a chain that an operation looks for by its time. */
export const milestoneItem = v.object({ number: v.number(), hash: v.string(), at: v.number() })

const text = v.string()

const entryItem = v.object({
  sk: text,
  hash: text,
  at: v.number(),
  transactionHash: v.exactOptional(text),
  content: v.variant('kind', [
    v.object({
      kind: v.literal('transfer'),
      from: v.nullable(brandedText<Address>()),
      to: v.nullable(brandedText<Address>()),
      tokenIds: v.array(brandedText<TokenId>()),
      /** Absent if each is 1. */
      amounts: v.exactOptional(v.array(text)),
    }),
    v.object({
      kind: v.literal('metadata'),
      fromTokenId: brandedText<TokenId>(),
      toTokenId: brandedText<TokenId>(),
    }),
    v.object({
      kind: v.literal('missed'),
      reason: brandedText<Missed['reason']>(),
      fromBlock: v.exactOptional(v.number()),
      toBlock: v.number(),
    }),
  ]),
})

type StoredContent = v.InferOutput<typeof entryItem>['content']

export function logItems(
  contract: ContractKey,
  { block, logIndex, transactionHash, content }: LogEntry,
): (Key & Record<string, unknown>)[] {
  return partsOf(content).map((part, index) => ({
    ...(part.kind === 'missed' && logIndex === undefined
      ? missedEntryKey(contract, block.number, part.reason)
      : logEntryKey(contract, { block: block.number, logIndex, place: index * tokensPerItem })),
    hash: block.hash,
    at: block.at,
    ...(transactionHash !== undefined && { transactionHash }),
    content: part,
    expiresAt: endOfLog(block.at),
  }))
}

/** When DynamoDB may delete what belongs to a log, in seconds since 1970. */
export const endOfLog = (at: number): number => Math.ceil((at + logRetentionMilliseconds) / 1_000)

function partsOf(content: LogEntry['content']): StoredContent[] {
  if (content.kind === 'missed') {
    const { fromBlock, ...missed } = content
    return [{ ...missed, ...(fromBlock !== undefined && { fromBlock }) }]
  }
  if (content.kind === 'metadata') return [content]
  const { kind, from, to, tokens } = content
  const count = Math.ceil(tokens.length / tokensPerItem)
  return Array.from({ length: count }, (_, index) => {
    const part = tokens.slice(index * tokensPerItem, (index + 1) * tokensPerItem)
    const amounts = part.map(({ amount }) => amount)
    return {
      ...{ kind, from, to },
      tokenIds: part.map(({ tokenId }) => tokenId),
      ...(amounts.some((amount) => amount !== '1') && { amounts }),
    }
  })
}

export function entryIn(item: unknown): PlacedEntry {
  const { sk, hash, at, transactionHash, content } = v.parse(entryItem, item)
  const { block: number, logIndex, place = 0 } = logPlaceFromKey(sk)
  const block = { number, hash, at }
  return { block, logIndex, place, transactionHash, content: contentIn(content) }
}

function contentIn(content: StoredContent): LogEntry['content'] {
  if (content.kind !== 'transfer') return content
  const { kind, from, to, tokenIds, amounts } = content
  const tokens: Transfer['tokens'] = tokenIds.map((tokenId, index) => ({
    tokenId,
    amount: amounts?.[index] ?? '1',
  }))
  return { kind, from, to, tokens }
}
