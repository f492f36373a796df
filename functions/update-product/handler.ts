import { dynamoProductEvents } from '../../lib/adapters/dynamodb/product-events.ts'
import { dynamoProducts } from '../../lib/adapters/dynamodb/products.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { productEntry } from '../../lib/contract/product-entry.ts'
import { InvalidApiKey } from '../../lib/domain/credential-failures.ts'
import { checkChangedNames } from '../../lib/domain/product/changed-names.ts'
import { recordChange } from '../../lib/domain/product/record-change.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { signInRuleIfAny } from '../../lib/settings/sign-in.ts'
import { productCallerPorts, productLimits } from '../composition/product-ports.ts'
import { row, rowWithoutSignIn } from './operation.ts'

const { signInRule } = signInRuleIfAny()

const table = openTable()

/** D45: changes fields of the product, records that, and returns the product as 4.2 does. */
export const handler = handlerOf(
  signInRule ? row : rowWithoutSignIn,
  {
    ...productCallerPorts(table),
    products: dynamoProducts(table),
    events: dynamoProductEvents(table),
    limits: productLimits(),
    signInRule,
  },
  async ({ productId, keyId, access, body }, { products, events, limits, signInRule }) => {
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
