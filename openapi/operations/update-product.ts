import { routes } from '../../lib/contract/routes.ts'
import { productFields } from '../components/product-fields.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** D45 */
export const updateProduct: OperationDocumentation<'updateProduct'> = {
  tag: 'Product',
  summary: 'Update product',
  description:
    'Changes the given fields of the product in one step, within the bounds of registration, and returns the product. A field that is not sent stays as it is. `null` removes `description`, `companyDescription` or the website.',
  requests: {
    contact: {
      summary: 'A new contact, and no description any more',
      value: { contactEmail: 'games@brindlewake.example', description: null },
    },
  },
  answers: {
    updated: {
      summary: 'The product',
      value: {
        data: {
          productId: example.productId,
          name: 'Lanterns of Brindlewake',
          contactEmail: 'games@brindlewake.example',
          companyName: 'Gull Harbour Games',
        },
      },
    },
  },
  invalidRequest: {
    summary: 'No name',
    sent: { body: { name: null } },
    detail: 'name must be a string.',
    errors: [{ in: 'body', path: 'name', message: 'must be a string' }],
  },
  schemas: {
    ProductChanges: describedObject(
      routes.updateProduct.body,
      'Fields of a product to change. A field that is absent stays.',
      productFields,
    ),
  },
}
