import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { dynamoProductAccess, dynamoProductStops } from '../lib/adapters/dynamodb/product-access.ts'
import { dynamoProductEvents } from '../lib/adapters/dynamodb/product-events.ts'
import type { ProductId } from '../lib/domain/product/product.ts'
import { recordChange } from '../lib/domain/product/record-change.ts'
import type { StoredProduct } from '../lib/domain/product/stored-product.ts'
import { namingTable, openOperatorTable, runForOperator, tableHelp } from './operator-table.ts'
import { quotedName } from './quoted-name.ts'

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
    const expectProduct = async () => {
      const stored = await dynamoProductAccess(table).get(id).catch(namingTable(place))
      if (!stored) throw new Error(`There is no product ${productId} in ${place}.`)
      if (stored.endedAt !== undefined) throw new Error(beingDeleted(stored, verb, place))
    }
    await expectProduct()
    const make = async () => {
      const changed = await dynamoProductStops(table)[verb](id)
      // The product was deleted in the meantime.
      if (!changed) await expectProduct()
      return changed as NonNullable<typeof changed>
    }
    const event = { action: `${verb}Product`, keyId: null } as const
    const { name, hasChanged } = await recordChange(id, event, { make }, dynamoProductEvents(table))
    return `The product ${quotedName(name)} (${productId}) in ${place} ${hasChanged ? done : repeated}.`
  })
}

const beingDeleted = ({ productId, endedAt }: StoredProduct, verb: string, place: string): string =>
  `The product ${productId} in ${place} has ended (${endedAt}) and is being deleted: its keys do not work any more, and nobody can ${verb} it.`
