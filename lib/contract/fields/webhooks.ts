import * as v from 'valibot'
import { webhookEventTypes } from '../../domain/webhooks/webhook.ts'
import { maxWebhookUrlLength } from '../../domain/webhooks/webhook-url.ts'
import { text } from './texts.ts'

/** The URL of a webhook, which the deployment judges further (D120). */
export const webhookUrl = text(1, maxWebhookUrlLength)

const oneOfTypes = `must be one of ${webhookEventTypes.join(', ')}`

export const webhookEvents = v.pipe(
  v.array(v.picklist(webhookEventTypes, oneOfTypes), 'must be a list of types of events'),
  v.minLength(1, 'must have at least one type of events'),
  v.maxLength(webhookEventTypes.length, `must have at most ${webhookEventTypes.length} types`),
)

export const webhookDescription = text(0, 500)
