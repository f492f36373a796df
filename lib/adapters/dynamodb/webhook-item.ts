import * as v from 'valibot'
import { type Chain, chainNames } from '../../domain/nft/chain.ts'
import type { ChainStart } from '../../domain/nft-events/event-start.ts'
import type {
  FailureCode,
  Webhook,
  WebhookEventType,
  WebhookId,
} from '../../domain/webhooks/webhook.ts'
import { brandedText } from '../branded-text.ts'

// The item of a webhook (D121). Times are in milliseconds since 1970.

const [text, number] = [v.string(), v.number()]
const optionalText = v.exactOptional(text)
const optionalNumber = v.exactOptional(number)
const chain = v.picklist(chainNames)

const secret = { deploymentSecret: text, generation: number }

const place = v.union([
  v.object({
    ...{ block: number, logIndex: optionalNumber, place: optionalNumber },
    since: optionalNumber,
  }),
  v.object({ since: number }),
])

const minute = v.object({
  minute: number,
  count: number,
  leftOut: v.record(text, v.object({ fromBlock: number, toBlock: number, at: number })),
})

const webhookItem = v.object({
  webhookId: brandedText<WebhookId>(),
  url: text,
  events: v.array(brandedText<WebhookEventType>()),
  description: text,
  createdAt: number,
  isVerified: v.boolean(),
  beginsAt: optionalNumber,
  pausedAt: optionalNumber,
  secret: v.object(secret),
  oldSecret: v.exactOptional(v.object({ ...secret, endsAt: number })),
  lastTest: v.exactOptional(
    v.object({
      testId: text,
      delivered: v.boolean(),
      status: optionalNumber,
      milliseconds: optionalNumber,
      failure: v.exactOptional(brandedText<FailureCode>()),
    }),
  ),
  changeId: optionalText,
  position: v.object({ since: number, chains: v.record(chain, place) }),
  minutes: v.record(chain, minute),
  wakes: number,
  fence: number,
  leasedUntil: optionalNumber,
  ticket: optionalText,
  ticketAt: optionalNumber,
  pendingSince: optionalNumber,
  nextAttemptAt: optionalNumber,
  slowAt: optionalNumber,
  lastEventAt: optionalNumber,
  lastDeliveredAt: optionalNumber,
  lastFailure: v.exactOptional(
    v.object({ at: number, code: brandedText<FailureCode>(), status: optionalNumber }),
  ),
  failures: number,
})

export function webhookIn(item: unknown): Webhook {
  const { position, ...webhook } = v.parse(webhookItem, item)
  const chains = new Map(Object.entries(position.chains) as [Chain, ChainStart][])
  return { ...webhook, position: { since: position.since, chains } }
}

/** The attributes of an item with these fields. What is `undefined` is left out. */
export function webhookAttributes({
  position,
  ...fields
}: Partial<Webhook>): Record<string, unknown> {
  const stored = { ...fields, ...(position && { position: positionItem(position) }) }
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined))
}

const positionItem = ({ since, chains }: Webhook['position']) => ({
  since,
  chains: Object.fromEntries([...chains].map(([name, start]) => [name, { ...start }])),
})
