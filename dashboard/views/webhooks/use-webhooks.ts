import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../../clients/typescript/src/errors.ts'
import type { Webhook, Webhooks } from '../../../clients/typescript/src/types.ts'
import { useClient } from '../../shell/shell-context.ts'
import { type Loaded, useLoad } from '../../shell/use-load.ts'

/** The webhooks of the product, as far as they are known. */
interface LoadedWebhooks extends Loaded<Webhooks> {
  /** Shows a webhook after a change, and soon what follows from it; without it, reads all anew. */
  changed(webhook?: Webhook): void
  /** Shows the others. */
  removed(webhook: Webhook): void
}

/** How long after a change its first deliveries are looked for, in milliseconds. */
const firstDeliveryMs = 3_000

/** Loads the webhooks of the product. */
export function useWebhooks(): LoadedWebhooks {
  const client = useClient()
  const loaded = useLoad((signal) => client.listWebhooks({ signal }), [client])
  const { data, reload, replace } = loaded
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(later.current), [])
  return {
    ...loaded,
    changed(webhook) {
      if (!webhook || !data) return reload()
      replace(replaced(data, webhook, [webhook]))
      clearTimeout(later.current)
      later.current = setTimeout(reload, firstDeliveryMs)
    },
    removed(webhook) {
      if (data) replace(replaced(data, webhook, []))
    },
  }
}

const replaced = (data: Webhooks, { webhookId }: Webhook, by: readonly Webhook[]): Webhooks => ({
  ...data,
  webhooks: data.webhooks.flatMap((each) => (each.webhookId === webhookId ? by : [each])),
})

/** Whether the deployment has no webhooks: API Gateway then knows no path of them. */
export const isWithoutWebhooks = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404
