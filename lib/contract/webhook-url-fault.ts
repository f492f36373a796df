import { InvalidInput } from '../domain/failures.ts'
import {
  parseWebhookUrl,
  type WebhookUrlFault,
  type WebhookUrlRules,
} from '../domain/webhooks/webhook-url.ts'

const messages: Readonly<Record<WebhookUrlFault, string>> = {
  too_long: 'must be at most 500 characters long',
  not_a_url: 'must be a URL, such as "https://games.example.com/events"',
  not_https: 'must begin with https://',
  has_credentials: 'must not have a user name or a password',
  has_fragment: 'must not have a fragment (#)',
  port_not_permitted: 'must have the port 443 or 8443',
  host_not_public: 'must have a public host name, and no address or name of a private network',
  own_host: 'must not be a host of this service',
}

/** The URL in the body of a request, as it is called (D120). Throws InvalidInput. */
export function webhookUrlIn(text: string, rules: WebhookUrlRules): string {
  const { url, fault } = parseWebhookUrl(text, rules)
  if (url) return url.href
  throw new InvalidInput({ in: 'body', path: 'url' }, messages[fault])
}
