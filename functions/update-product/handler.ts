import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProducts } from '../../lib/adapters/dynamodb/products.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { productEntry } from '../../lib/contract/product-entry.ts'
import { productEntryWithSignIn } from '../../lib/contract/product-entry-with-sign-in.ts'
import { InvalidApiKey } from '../../lib/domain/credential-failures.ts'
import type { ShownLimit } from '../../lib/domain/limit/limit.ts'
import type { ProductEvents } from '../../lib/domain/ports/product-events.ts'
import type { Products } from '../../lib/domain/ports/products.ts'
import { checkChangedNames } from '../../lib/domain/product/changed-names.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { signInRuleSettings } from '../../lib/settings/sign-in.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { productLimits } from '../composition/product-limits.ts'
import { row, rowWithSignIn } from './operation.ts'

interface Ports {
  products: Products
  events: ProductEvents
  limits: readonly ShownLimit[]
}

const signInRule = globalThis.WALLET_SIGN_IN === false ? undefined : signInRuleSettings().signInRule

/** D45: changes fields of the product, records that, and returns the product as 4.2 does. */
export const updateProduct = operation(
  globalThis.WALLET_SIGN_IN === false ? (row as ReturnType<typeof rowWithSignIn>) : rowWithSignIn(),
  async ({ productId, keyId, access, body }, { products, events, limits }: Ports) => {
    const { websiteLink, website = websiteLink, ...fields } = body
    const changes = { ...fields, ...(website !== undefined && { website }) }
    if (Object.keys(changes).length === 0) {
      if (globalThis.WALLET_SIGN_IN !== false && signInRule)
        return { data: productEntryWithSignIn(await access, limits, signInRule) }
      return { data: productEntry(productId, (await access).product, limits) }
    }
    checkChangedNames(changes, (await access).product)
    const make = async () => {
      const product = await products.update(productId, changes)
      // The product was deleted since the request was permitted.
      if (!product) throw new InvalidApiKey('product_deleted')
      return product
    }
    const event = { action: 'updateProduct', keyId } as const
    const product = await recordChange(productId, event, { make }, events)
    if (globalThis.WALLET_SIGN_IN !== false && signInRule) {
      const changed = { ...(await access), product }
      return { data: productEntryWithSignIn(changed, limits, signInRule) }
    }
    return { data: productEntry(productId, product, limits) }
  },
)

const table = openTable()

export const handler = lambda(updateProduct, {
  ...productCallerPorts(table),
  products: dynamoProducts(table),
  events: dynamoProductEvents(table),
  limits: productLimits(),
})
