import type { UpdateWebhookParams, Webhook } from '../../../clients/typescript/src/types.ts'
import { eventTypes } from './webhook-words.ts'

/** The types of events that the API takes. */
type EventTypes = NonNullable<UpdateWebhookParams['events']>

/** What the user has typed and chosen about a webhook. */
export interface WebhookFields {
  url: string
  events: readonly string[]
  description: string
}

/** A new webhook gets every type. */
export const newFields: WebhookFields = {
  url: '',
  events: Object.keys(eventTypes),
  description: '',
}

/** What is wrong with the fields, by their names. The API checks the rest. */
export function webhookFaults({ url, events }: WebhookFields): Record<string, string> {
  return {
    ...(url.trim() === '' && { url: 'Write the URL of your server.' }),
    ...(events.length === 0 && { events: 'Choose at least one type.' }),
  }
}

/** The fields as the API takes them. */
export const webhookOf = ({ url, events, description }: WebhookFields) => ({
  url: url.trim(),
  // The service refuses a type that it does not know.
  events: events as EventTypes,
  description: description.trim(),
})

/** The fields that are different from those of a webhook, or `undefined` if none is. */
export function changesOf(
  webhook: Webhook,
  fields: WebhookFields,
): Omit<UpdateWebhookParams, 'webhookId'> | undefined {
  const { url, events, description } = webhookOf(fields)
  const isSame = events.toSorted().join() === webhook.events.toSorted().join()
  const changes = {
    ...(url !== webhook.url && { url }),
    ...(!isSame && { events }),
    ...(description !== webhook.description && { description }),
  }
  return Object.keys(changes).length > 0 ? changes : undefined
}
