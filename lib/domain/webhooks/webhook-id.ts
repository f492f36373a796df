import type { Branded } from '../branded.ts'

/** The identity of a webhook. */
export type WebhookId = Branded<'WebhookId'>

/** Whether a text has the form of the identity of a webhook: no webhook has an identity of another form. */
export const isWebhookId = (text: string): text is WebhookId => /^wh_[0-9A-Za-z]{22}$/.test(text)
