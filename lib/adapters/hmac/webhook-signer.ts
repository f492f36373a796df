import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { UnsignedMessage, WebhookSigner } from '../../domain/ports/webhook-delivery.ts'

/** How many characters identify a secret of a deployment: 72 bits of its digest. */
const digestLength = 12

/** The secrets of webhooks, which follow from those of the deployment: new ones from the first (D123). */
export function hmacWebhookSigner(secrets: readonly string[]): WebhookSigner {
  const byDigest = new Map(secrets.map((secret) => [digestOf(secret), secret]))
  const [newest = ''] = byDigest.keys()
  const secretOf: WebhookSigner['secret'] = (webhookId, { deploymentSecret, generation }) => {
    const secret = byDigest.get(deploymentSecret)
    return secret && webhookSecret(secret, webhookId, generation)
  }
  return {
    reference: (generation) => ({ deploymentSecret: newest, generation }),
    secret: secretOf,
    sign({ webhookId, secret, oldSecret }, message) {
      const isOldValid = oldSecret && oldSecret.endsAt > message.sentAt
      const references = [secret, ...(isOldValid ? [oldSecret] : [])]
      const all = references.flatMap((reference) => secretOf(webhookId, reference) ?? [])
      return all.length === 0 ? undefined : webhookHeaders(message, all)
    },
  }
}

const digestOf = (secret: string): string =>
  createHash('sha256').update(`webhooks ${secret}`).digest('base64url').slice(0, digestLength)

/** The bytes of a secret: within the 24 to 64 that Standard Webhooks recommends. */
const secretBytes = 32

const prefix = 'whsec_'

/**
 * The secret of a webhook, in the form in which its server gets it. It follows from a secret of the deployment (HKDF, RFC 5869), so that none is
 * stored. Each generation has another one.
 */
function webhookSecret(deploymentSecret: string, webhookId: string, generation: number): string {
  const info = `webhook ${JSON.stringify([webhookId, generation])}`
  const key = hkdfSync('sha256', deploymentSecret, '', info, secretBytes)
  return `${prefix}${Buffer.from(key).toString('base64')}`
}

/**
 * The headers of a message (Standard Webhooks 1.0.0): with a signature by each of the secrets, of which there are two while one
 * replaces the other.
 */
function webhookHeaders(
  { id, sentAt, body }: UnsignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = `${Math.floor(sentAt / 1_000)}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
