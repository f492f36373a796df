import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import {
  type Documentation,
  describedObject,
  example,
  refusedNumber,
} from '../../lib/contract/documentation.ts'
import { webhookCursor } from '../../lib/contract/fields/cursors.ts'
import { anyTime, count } from '../../lib/contract/fields/numbers.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { webhookEvent } from '../../lib/contract/webhook-event.ts'

/** The most events in one response, and by default. */
const maxEvents = 1_000
export const defaultEvents = 100

export const row = {
  id: 'getWebhookEvents',
  section: 'D119',
  method: 'GET',
  paths: [`${base}/product/webhook-events`],
  auth: 'PRODUCT',
  query: v.object({
    since: v.optional(anyTime),
    cursor: v.optional(webhookCursor),
    limit: v.optional(count(1, maxEvents)),
  }),
  answer: v.object({
    events: v.array(webhookEvent),
    cursor: shownText,
    hasMore: v.boolean(),
    notFollowed: v.array(shownText),
  }),
  problems: ['too_many_webhook_contracts', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = { each: { Query: 1 } }

const block = {
  number: 79_234_561,
  hash: '0x8f3d5c0b1a7e49d2c6b8a4f1e0937d5c2b6a8e4f1d0c7b3a59e2f8d6c4b1a097',
  timestamp: '2026-01-01T09:30:02.000Z',
}
const transactionHash = '0x1c9e4b7d2f8a6053e7b1d4c8a2f69035b8e7d1c4a6f20953e8b7d4c1a2f69e05'

export const documentation = (): Documentation<typeof row> => {
  const { keepers } = example.contracts
  const transfer = {
    id: 'evt_4fK0vQ2mZxBn0WEgevgX7JS46g9',
    type: 'nft.transferred',
    timestamp: block.timestamp,
    data: {
      ...{ chain: 'POLYGON', contractAddress: keepers, tokenId: '7', amount: '1' },
      ...{ from: null, to: example.wallets.hot, transactionHash, block, logIndex: 12 },
    },
  } as const
  return {
    tag: 'Product',
    summary: 'Get webhook events',
    description:
      'Returns what has happened to the allowlisted NFTs of the product on followed chains: transfers, mints and burns, new metadata, and what could not be watched. An event comes about 75 seconds after its block, once it is not taken back any more. Events are in the order of each chain, and are kept for 7 days. Ask again with the `cursor` of the response: at once if `hasMore`, and otherwise after some seconds. The first call, and each call after a day without one, begins to watch the contracts of the product. An event is a reason to read the player again, not a state. No event says which player has a wallet: compare `from` and `to` with the `owner` of your records.',
    parameters: {
      since: {
        description:
          'Returns what has happened since this time, of the last 7 days. Without it and without `cursor`: since now.',
        example: '2026-01-01T09:00:00Z',
      },
      cursor: {
        description: 'The `cursor` of an earlier response. Not together with `since`.',
        example: example.webhookCursor,
      },
      limit: {
        description: 'Maximum number of events in the response; 100 if omitted.',
        example: 50,
      },
    },
    answers: {
      events: {
        summary: 'A mint, and blocks that nobody has read',
        value: {
          events: [
            transfer,
            {
              id: 'evt_0WEgevgX7JS46g9lCLTDBJMNiwS',
              type: 'events.missed',
              timestamp: block.timestamp,
              data: {
                ...{ chain: 'POLYGON', contractAddress: example.contracts.gear },
                ...{ fromBlock: 79_230_000, toBlock: 79_234_560, reason: 'gap' },
              },
            },
          ],
          cursor: example.webhookCursor,
          hasMore: false,
          notFollowed: ['BSC'],
        },
      },
      none: {
        summary: 'No news',
        value: { events: [], cursor: example.webhookCursor, hasMore: false, notFollowed: [] },
      },
    },
    invalidRequest: refusedNumber('limit', 1001, 1000),
    schemas: {
      WebhookEvents: describedObject(row.answer, 'Events of the NFTs of a product.', {
        events: 'The events, in the order of each chain. Between chains there is no order.',
        cursor:
          'Send it with the next request. It does not expire, but events are kept for 7 days.',
        hasMore: 'Whether there is more to read at once.',
        notFollowed:
          'The chains on which this service does not follow contracts of the product: it follows nothing there, or its source refuses the events of a contract for now. Their events are missing.',
      }),
      WebhookEvent: describedObject(webhookEvent, 'An event of an NFT.', {
        id: 'Identifies the event: the same in every response.',
        type: '`nft.transferred`: an NFT changed hands, was minted or was burned. `nft.metadata_changed`: NFTs may have new metadata (ERC-4906). `events.missed`: events of the contract are not known; read the players anew. Values can be added.',
        timestamp: 'The time of the block, in UTC.',
        data: 'What has happened. A field that the type does not have is absent.',
      }),
      WebhookEventData: describedObject(
        webhookEvent.entries.data,
        'What has happened to an NFT, or which events are not known.',
        {
          chain: 'Chain name.',
          contractAddress: 'Contract address, in lower case.',
          tokenId: 'Of a transfer: the token identifier.',
          amount: 'Of a transfer: how many of the token; 1 of ERC-721.',
          from: 'Of a transfer: the wallet that had the NFT. null: it was minted.',
          to: 'Of a transfer: the wallet that has the NFT. null: it was burned.',
          fromTokenId: 'Of new metadata: the first token identifier.',
          toTokenId: 'Of new metadata: the last token identifier.',
          fromBlock:
            'Of missed events: the first block. null: not known; everything since the event before.',
          toBlock: 'Of missed events: the last block.',
          reason:
            'Of missed events. `gap`: nobody read the blocks, or the contract was not watched. `busy`: there were too many events. `refused`: the source of the service refused to tell them, and the chain is in `notFollowed` until it is asked again. `reorganization`: the chain has replaced blocks of which events were told. `malformed`: the contract has emitted something that is not of the standard. `expired`: the events were not asked for within 7 days. Values can be added.',
          transactionHash: 'The transaction, except of missed events.',
          block: 'The block, except of missed events.',
          logIndex: 'The index of the event in its block, except of missed events.',
        },
      ),
      WebhookEventBlock: describedObject(
        webhookEvent.entries.data.entries.block.wrapped,
        'A block.',
        {
          number: 'Its number.',
          hash: 'Its hash.',
          timestamp:
            'Its time, in UTC; later, by seconds or the length of an outage, if the indexer does not say the time of events.',
        },
      ),
    },
  }
}
