import { productInformation } from '../../lib/contract/answers.ts'
import { productFields, productIdMeaning } from '../components/product-fields.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** 4.2 */
export const getProduct: OperationDocumentation<'getProduct'> = {
  tag: 'Product',
  summary: 'Retrieve product information',
  description:
    'Returns the registration and the `productId` of the product. Absent optional fields are omitted; the website is returned under both of its names.',
  answers: {
    full: {
      summary: 'Every field',
      value: {
        data: {
          productId: example.productId,
          name: 'Lanterns of Brindlewake',
          description: 'A cosy survival game about keeping the lamps of a drowned archipelago lit.',
          contactEmail: 'studio@brindlewake.example',
          companyName: 'Gull Harbour Games',
          companyDescription: 'Five people, one kettle, and a view of the sea.',
          website: 'https://brindlewake.example',
          websiteLink: 'https://brindlewake.example',
        },
      },
    },
    minimal: {
      summary: 'Only what was required',
      value: {
        data: {
          productId: example.productId,
          name: 'Lanterns of Brindlewake',
          contactEmail: 'studio@brindlewake.example',
          companyName: 'Gull Harbour Games',
        },
      },
    },
  },
  schemas: {
    Product: describedObject(
      productInformation,
      'The registration of a product. An optional field without a value is absent.',
      { productId: productIdMeaning, ...productFields },
    ),
  },
}
