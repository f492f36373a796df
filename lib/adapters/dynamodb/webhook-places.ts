import * as v from 'valibot'
import { ServiceUnavailable } from '../../domain/failures.ts'
import type { WebhookPlaces } from '../../domain/ports/webhook-delivery.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { brandedText } from '../branded-text.ts'
import { getItem } from './item-reads.ts'
import { updateItem } from './item-writes.ts'
import { webhookPlacesKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

const attempts = 8

const item = v.object({
  version: v.number(),
  places: v.array(
    v.object({
      productId: brandedText<ProductId>(),
      holder: v.string(),
      isWaiting: v.exactOptional(v.boolean()),
      end: v.number(),
    }),
  ),
})

/** The places in the table: one item, whose version each change raises (D143). */
export const dynamoWebhookPlaces = (table: Table): WebhookPlaces => ({
  async change(decide) {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const current = v.parse(v.optional(item), await getItem(table, webhookPlacesKey))
      const decision = decide(current?.places ?? [])
      const { places } = decision
      if (!places) return decision
      const isChanged = await updateItem(table, webhookPlacesKey, {
        set: { places },
        add: { version: 1 },
        conditions: [current ? ['version', '=', current.version] : ['version', 'absent']],
      })
      if (isChanged) return decision
    }
    throw new ServiceUnavailable('the places of webhooks were changed over and over')
  },
})
