import type { SignInPermits } from '../../domain/ports/limits.ts'
import type { Product, ProductId } from '../../domain/product/product.ts'
import { permitOf } from '../../domain/sign-in/product-sign-in.ts'
import { UpdateCommand } from './commands.ts'
import { unlessConditionFails } from './conditional-write.ts'
import { productKey } from './keys/product-partition.ts'
import type { Table } from './table.ts'

/** What the operator permits products of sign-in, in the table: an attribute of the item of the product (D115). */
export function dynamoSignInPermits({ client, name: TableName }: Table): SignInPermits {
  async function change(
    productId: ProductId,
    UpdateExpression: string,
    conditions: readonly string[],
    more: object = {},
  ): Promise<boolean> {
    const command = new UpdateCommand({
      ...{ TableName, Key: productKey(productId), UpdateExpression, ...more },
      ConditionExpression: ['attribute_not_exists(endedAt)', ...conditions].join(' AND '),
    })
    return (await unlessConditionFails(client.send(command))) !== undefined
  }

  return {
    async permit(productId, product) {
      const { name, companyName } = product
      const domains = areDomains(product)
      return await change(
        productId,
        'SET signInPermit = :permit',
        ['#name = :name', 'companyName = :company', ...domains.conditions],
        {
          ExpressionAttributeNames: { '#name': 'name' },
          ExpressionAttributeValues: {
            ...{ ':permit': permitOf(product), ':name': name, ':company': companyName },
            ...domains.values,
          },
        },
      )
    },
    withdraw: (productId) =>
      change(productId, 'REMOVE signInPermit', ['attribute_exists(createdAt)']),
  }
}

/** The conditions that a product has exactly these hosts. They name each one, because emulators do not compare lists. */
function areDomains({ signInDomains }: Product): {
  conditions: string[]
  values: Record<string, unknown>
} {
  if (!signInDomains) return { conditions: ['attribute_not_exists(signInDomains)'], values: {} }
  return {
    conditions: [
      'size(signInDomains) = :count',
      ...signInDomains.map((_, index) => `signInDomains[${index}] = :domain${index}`),
    ],
    values: {
      ':count': signInDomains.length,
      ...Object.fromEntries(signInDomains.map((domain, index) => [`:domain${index}`, domain])),
    },
  }
}
