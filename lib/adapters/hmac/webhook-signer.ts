import { createHash } from 'node:crypto'
import type { WebhookSigner } from '../../domain/ports/webhook-signer.ts'
import { webhookHeaders, webhookSecret } from './webhook-signatures.ts'

/** How many characters identify a secret of a deployment: 72 bits of its digest. */
const digestLength = 12

/** The secrets of webhooks, which follow from those of the deployment: new ones from the first (D123). */
export function hmacWebhookSigner(secrets: readonly string[]): WebhookSigner {
  const byDigest = new Map(secrets.map((secret) => [digestOf(secret), secret]))
  const [newest = ''] = byDigest.keys()
  const secretOf: WebhookSigner['secret'] = (webhookId, { deploymentSecret, generation }) => {
    const secret = byDigest.get(deploymentSecret)
    return secret && webhookSecret(secret, { webhookId, generation })
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
