import { productKey } from '../../lib/contract/answers.ts'
import { routes } from '../../lib/contract/routes.ts'
import { productFields, productIdMeaning } from '../components/product-fields.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** 4.1 */
export const registerProduct: OperationDocumentation<'registerProduct'> = {
  tag: 'Product',
  summary: 'Register product',
  description:
    'Registers a product and returns its API key, which is shown only once. Only a digest of the key is kept, so a lost key cannot be shown again. Names are not unique: repeating a registration creates another product.\n\nLengths count Unicode code points. The website may be sent as `website` or as `websiteLink`.',
  requests: {
    full: {
      summary: 'Every field',
      value: {
        name: 'Lanterns of Brindlewake',
        description: 'A cosy survival game about keeping the lamps of a drowned archipelago lit.',
        contactEmail: 'studio@brindlewake.example',
        companyName: 'Gull Harbour Games',
        companyDescription: 'Five people, one kettle, and a view of the sea.',
        website: 'https://brindlewake.example',
      },
    },
    minimal: {
      summary: 'Only what is required',
      value: {
        name: 'Lanterns of Brindlewake',
        contactEmail: 'studio@brindlewake.example',
        companyName: 'Gull Harbour Games',
      },
    },
  },
  answers: {
    registered: {
      summary: 'The new key',
      value: { data: { apiKey: example.apiKey, productId: example.productId } },
    },
  },
  invalidRequest: {
    summary: 'A name of one letter, an address without @, no company',
    sent: { body: { name: 'L', contactEmail: 'brindlewake.example' } },
    detail: 'name must be 2 to 100 characters long. There are 3 such fields.',
    errors: [
      { in: 'body', path: 'name', message: 'must be 2 to 100 characters long' },
      {
        in: 'body',
        path: 'contactEmail',
        message: 'must have something on each side of a single @',
      },
      { in: 'body', path: 'companyName', message: 'is required' },
    ],
  },
  schemas: {
    ProductRegistration: describedObject(
      routes.registerProduct.body,
      'A product to register.',
      productFields,
    ),
    ProductKey: describedObject(productKey, 'The key of a new product.', {
      apiKey: 'The product API key for the header `X-Api-Key`. It is shown only here: keep it.',
      productId: productIdMeaning,
    }),
  },
}
