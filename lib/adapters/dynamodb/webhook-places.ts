import * as v from 'valibot'
import { ServiceUnavailable } from '../../domain/failures.ts'
import type { WebhookPlaces } from '../../domain/ports/webhook-delivery.ts'
import type { ProductId } from '../../domain/product/product.ts'
import { written } from '../written.ts'
import { GetCommand, UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { type FieldCondition, fieldUpdate } from './field-update.ts'
import { webhookPlacesKey } from './keys/single-items.ts'
import type { Table } from './table.ts'

/** The maximum number of attempts while other deliveries take places too. */
const attempts = 8

const item = v.object({
  version: v.number(),
  places: v.array(
    v.object({
      productId: written<ProductId>(),
      holder: v.string(),
      isWaiting: v.exactOptional(v.boolean()),
      end: v.number(),
    }),
  ),
})

/** The places in the table: one item, whose version each change raises (D143). */
export const dynamoWebhookPlaces = ({ client, name: TableName }: Table): WebhookPlaces => ({
  async change(decide) {
    const Key = webhookPlacesKey
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const read = new GetCommand({ TableName, Key, ConsistentRead: true })
      const { Item } = await client.send(read)
      const current = Item && v.parse(item, Item)
      const decision = decide(current?.places ?? [])
      const { places } = decision
      if (!places) return decision
      const isSame: FieldCondition = current
        ? ['version', '=', current.version]
        : ['version', 'absent']
      const update = fieldUpdate({ set: { places }, add: { version: 1 }, conditions: [isSame] })
      const command = new UpdateCommand({ TableName, Key, ...update })
      if (await unlessConditionFails(client.send(command))) return decision
    }
    throw new ServiceUnavailable('the places of webhooks were changed over and over')
  },
})
