import { parseArgs } from 'node:util'
import { dynamoProductAccess } from '../lib/adapters/dynamodb/product-access.ts'
import { dynamoProductEvents } from '../lib/adapters/dynamodb/product-events.ts'
import { dynamoProductStops } from '../lib/adapters/dynamodb/product-stops.ts'
import type { ProductId } from '../lib/domain/product.ts'
import { recordChange } from '../lib/domain/record-change.ts'
import { helpIfAsked } from '../local/help.ts'
import {
  namingMissingTable,
  openOperatorTable,
  runForOperator,
  tableHelp,
} from './operator-table.ts'

/** What a command does with a product, in words. */
interface Words {
  /** The name of the command: `npm run stop-product`. */
  readonly verb: 'stop' | 'start'
  readonly summary: readonly string[]
  /** After the name of the product. */
  readonly done: string
  readonly repeated: string
}

/** `npm run stop-product` and `npm run start-product` (D45). */
export async function runProductCommand({ verb, summary, done, repeated }: Words): Promise<void> {
  const usage = `Usage: npm run --silent ${verb}-product -- --product-id ID [--table NAME]`
  helpIfAsked([
    usage,
    '',
    ...summary,
    '',
    '  --product-id  the id of the product',
    '',
    ...tableHelp,
  ])
  await runForOperator(async () => {
    const { values } = parseArgs({
      options: { 'product-id': { type: 'string' }, table: { type: 'string' } },
    })
    const productId = values['product-id']?.trim()
    if (!productId) throw new Error(usage)
    const { table, place } = await openOperatorTable(values.table, process.env)
    const id = productId as ProductId
    const stored = await dynamoProductAccess(table).get(id).catch(namingMissingTable(place))
    const product =
      stored && stored.endedAt === undefined
        ? await recordChange(
            id,
            { action: `${verb}Product`, keyId: null },
            { make: () => dynamoProductStops(table)[verb](id) },
            dynamoProductEvents(table),
          )
        : undefined
    if (!product) throw new Error(`There is no product ${productId} in ${place}.`)
    const { name, hasChanged } = product
    return `The product ${JSON.stringify(name)} (${productId}) in ${place} ${hasChanged ? done : repeated}.`
  })
}
