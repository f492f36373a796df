import type { OperationIdWith } from '../functions/operations.ts'
import type { WebhookQueues } from './background/webhook-queues.ts'
import type { limitGrants } from './data/limit-grants.ts'
import type { ServiceTable } from './data/service-table.ts'
import type { GeneratedSecrets } from './keys/generated-secrets.ts'
import { environment, type Grant } from './lambda/grant.ts'
import { ownHosts } from './settings/feature-rules.ts'
import { delivererConcurrency } from './settings/reserved-concurrency.ts'
import { type Settings, variablesOf } from './settings/settings.ts'

/** The resources of webhooks, which no other deployment has. */
export interface WebhookResources {
  readonly webhookQueues: WebhookQueues | undefined
  readonly webhookSecrets: GeneratedSecrets | undefined
}

/** What the functions share with others. */
interface Shared {
  readonly limits: ReturnType<typeof limitGrants>
  readonly readProduct: readonly Grant[]
  readonly changeProduct: readonly Grant[]
}

/** Permission to send messages about deliveries to webhooks; nothing in a deployment without webhooks. */
export const sendToWebhooks = ({ webhookQueues }: WebhookResources): readonly Grant[] =>
  webhookQueues ? [webhookQueues.grantSend()] : []

/** Whether the deployment has webhooks, for a function that shows it. */
export const showWebhooks = ({ webhookQueues }: WebhookResources): readonly Grant[] =>
  webhookQueues ? [environment(webhookQueues.variables)] : []

/** The permissions and variables of the functions of webhooks (D121, D124). They have no effect without the setting. */
export function webhookPermissions(
  { table, ...resources }: WebhookResources & { readonly table: ServiceTable },
  settings: Settings,
  { limits, readProduct, changeProduct }: Shared,
): Readonly<Record<OperationIdWith<'webhooks'> | 'deliverWebhooks', readonly Grant[]>> {
  const { webhookQueues, webhookSecrets } = resources
  const send = sendToWebhooks(resources)
  const secrets = webhookSecrets ? [webhookSecrets.grantUse()] : []
  const hosts = ownHosts(settings)
  const where = environment(hosts.length > 0 ? { WEBHOOK_OWN_HOSTS: hosts.join(',') } : {})
  const chains = environment(variablesOf(settings, 'FOLLOWED_CHAINS', 'WEBHOOK_CONTRACTS'))
  const listed = table.grantRead('Query')
  const removed = table.grantWrite(['PRODUCT'], 'DeleteItem')
  return {
    createWebhook: [...changeProduct, listed, removed, ...secrets, where, chains],
    listWebhooks: [...readProduct, table.grantRead('Query', 'BatchGetItem'), chains],
    updateWebhook: [...changeProduct, where, ...send],
    rotateWebhookSecret: [...changeProduct, ...secrets],
    testWebhook: [
      ...readProduct,
      ...(webhookQueues ? [webhookQueues.grantSendTests()] : []),
      ...limits.webhookTests,
    ],
    replayWebhook: [...changeProduct, ...send, ...limits.webhookReplays],
    deleteWebhook: [...changeProduct, removed],
    deliverWebhooks: [
      // It calls servers of strangers, so that it can read nothing of players, wallets and keys.
      table.grantReadOf(['PRODUCT', 'WEBHOOK_PLACES'], 'GetItem'),
      table.grantReadOf(['PRODUCT', 'BINDING', 'FOLLOW'], 'Query'),
      table.grantReadOf(['BINDING', 'FOLLOW'], 'BatchGetItem'),
      table.grantWrite(['PRODUCT'], 'UpdateItem', 'PutItem'),
      table.grantWrite(['FOLLOW'], 'UpdateItem', 'DeleteItem'),
      table.grantWrite(['WEBHOOK_PLACES'], 'UpdateItem'),
      ...(webhookQueues?.grantConsume() ?? []),
      ...send,
      ...secrets,
      chains,
      environment({
        ...variablesOf(settings, 'WEBHOOK_EVENTS_PER_MINUTE'),
        WEBHOOK_DELIVERIES: `${delivererConcurrency(settings).deliveries}`,
      }),
    ],
  }
}
