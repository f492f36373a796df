import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProducts } from '../../lib/adapters/dynamodb/products.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { productEntry } from '../../lib/contract/product-entry.ts'
import { InvalidApiKey } from '../../lib/domain/credential-failures.ts'
import type { ShownLimit } from '../../lib/domain/limit/limit.ts'
import type { ProductEvents } from '../../lib/domain/ports/product-events.ts'
import type { Products } from '../../lib/domain/ports/products.ts'
import { checkChangedNames } from '../../lib/domain/product/changed-names.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import type { SignInRule } from '../../lib/domain/sign-in/sign-in-permit.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { signInRuleIfAny } from '../../lib/settings/sign-in.ts'
import { productCallerPorts } from '../composition/product-caller-ports.ts'
import { productLimits } from '../composition/product-limits.ts'
import { row, rowWithoutSignIn } from './operation.ts'

interface Ports {
  products: Products
  events: ProductEvents
  limits: readonly ShownLimit[]
  signInRule: SignInRule | undefined
}

const { signInRule } = signInRuleIfAny()

/** D45: changes fields of the product, records that, and returns the product as 4.2 does. */
export const updateProduct = operation(
  signInRule ? row : rowWithoutSignIn,
  async ({ productId, keyId, access, body }, { products, events, limits, signInRule }: Ports) => {
    const { websiteLink, website = websiteLink, ...fields } = body
    const changes = { ...fields, ...(website !== undefined && { website }) }
    if (Object.keys(changes).length === 0) {
      return { data: productEntry(await access, limits, signInRule) }
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
    return { data: productEntry({ ...(await access), product }, limits, signInRule) }
  },
)

const table = openTable()

export const handler = lambda(updateProduct, {
  ...productCallerPorts(table),
  products: dynamoProducts(table),
  events: dynamoProductEvents(table),
  limits: productLimits(),
  signInRule,
})
