import type * as v from 'valibot'
import { describedObject, example } from '../documentation.ts'
import { webhookEntry } from '../webhook.ts'

type ShownWebhook = v.InferInput<typeof webhookEntry>

/** A webhook that was just made, for examples. */
export const exampleWebhook = {
  webhookId: example.webhookId,
  url: 'https://games.brindlewake.example/nft-events',
  events: ['nft.transferred', 'nft.metadata_changed', 'events.missed'],
  description: 'Game server',
  state: 'unverified',
  createdAt: '2026-01-01T09:30:00.000Z',
  lastDeliveredAt: null,
  lastFailure: null,
  failures: 0,
  pendingSince: null,
  nextAttemptAt: null,
  behindSeconds: null,
  oldSecretEndsAt: null,
} satisfies ShownWebhook

/** The same while it delivers. */
export const deliveringWebhook = {
  ...exampleWebhook,
  state: 'active',
  lastDeliveredAt: '2026-01-02T10:00:05.120Z',
} satisfies ShownWebhook

export const webhookFields = {
  webhookId: 'The identity of the webhook.',
  url: 'Where messages are sent, as it is called.',
  events: 'The types of events that are sent.',
  description: 'What the webhook is for.',
  state:
    '`unverified`: the server at the URL has not answered a test yet, and gets nothing else. `active`. `failing`: the latest attempt failed, and will be repeated. `paused`: by a call, after 76 hours of failures, or after 410. Values can be added.',
  createdAt: 'When it was created, in UTC.',
  lastDeliveredAt: 'When an event was delivered last, in UTC. null: never.',
  lastFailure: 'The latest failure since the URL was verified, but for those of tests. null: none.',
  failures: 'How many attempts have failed since the last delivery.',
  pendingSince: 'Since when there have been events to deliver, in UTC. null: nothing is pending.',
  nextAttemptAt:
    'No attempt is made before this time, in UTC. null: the next attempt is not delayed.',
  behindSeconds:
    'How far the deliveries are behind, in seconds, while something is pending. One message is sent at a time, so a server that answers in 100 milliseconds gets at most 600 in a minute, and one that takes longer than two seconds is called a fourth of the time.',
  oldSecretEndsAt:
    'Until when the secret before the last rotation signs too, in UTC. null: it does not.',
}

const failureSchema = describedObject(
  webhookEntry.entries.lastFailure.wrapped,
  'Why a message was not delivered.',
  {
    at: 'When, in UTC.',
    code: '`unexpected_status`, `timeout`, `host_not_found`, `address_not_public`, `connection_failed`, `certificate_invalid`, `answer_malformed`, `secret_ended`. Values can be added.',
    status: 'The HTTP status of the answer. null: there was no answer.',
  },
)

export const webhookSchemas = {
  Webhook: describedObject(webhookEntry, 'A webhook, without its secret.', webhookFields),
  WebhookFailure: failureSchema,
}

/** The meaning of the fields of a webhook that are sent. */
export const webhookInputFields = {
  url: 'An `https` URL with the port 443 or 8443 and a public host name, of at most 500 characters. It is called exactly so; redirects are not followed.',
  events: 'The types of events to send; all if omitted.',
  description: 'What the webhook is for, of at most 500 characters.',
}

/** The meaning of the parameter `webhookId` of a path. */
export const webhookIdParameter = {
  webhookId: { description: 'The webhook, as the list has it.', example: example.webhookId },
}
