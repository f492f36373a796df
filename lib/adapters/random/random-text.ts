import { randomBytes } from 'node:crypto'
import { branded } from '../../domain/branded.ts'
import { base62Of } from '../../domain/product/api-key-text.ts'
import type { WebhookId } from '../../domain/webhooks/webhook.ts'

/** 128 bits from the random numbers of the operating system, as 22 digits in base 62. */
export const randomText = (): string => base62Of(randomBytes(16), 22)

export const newWebhookId = (): WebhookId => branded(`wh_${randomText()}`)
