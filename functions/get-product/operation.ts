import { productInformation } from '../../lib/contract/answers.ts'
import {
  exampleRegistration,
  productFields,
  productIdMeaning,
  signInProductFields,
} from '../../lib/contract/documentation/product-fields.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'getProduct',
  section: '4.2',
  method: 'GET',
  paths: [`${base}/product`],
  auth: 'PRODUCT',
  answer: productInformation,
} as const satisfies Route

export const requests: OperationRequests = { each: {} }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Product',
  summary: 'Retrieve product information',
  description:
    'Returns the registration, the `productId` and the limits of the product. Absent optional fields are omitted; the website is returned under both of its names.',
  answers: {
    full: {
      summary: 'Every field',
      value: {
        productId: example.productId,
        ...exampleRegistration.full,
        websiteLink: 'https://brindlewake.example',
        clientAccess: true,
        limits: [
          { name: 'indexer_calls_by_minute', count: 75, perSeconds: 60 },
          { name: 'indexer_calls_by_day', count: 520, perSeconds: 86_400 },
          { name: 'nfts', count: 1_000_000 },
        ],
      },
    },
    minimal: {
      summary: 'Only what was required',
      value: { productId: example.productId, ...exampleRegistration.minimal },
    },
  },
  schemas: {
    Product: describedObject(
      productInformation,
      'The registration of a product, and its limits. An optional field without a value is absent.',
      {
        productId: productIdMeaning,
        ...productFields,
        ...signInProductFields,
        signInState:
          'With `signIn`: `ON`, or `WAITING` while the operator of the service has not permitted the name, the company and the hosts of the product.',
        limits:
          'The limits that can refuse calls of the product, as set by the operator of the service. Absent: the service has no such limits.',
      },
      { walletSignIn: ['signIn', 'signInDomains', 'signInState'] },
    ),
    ProductLimit: describedObject(
      productInformation.entries.limits.wrapped.item,
      'A limit of a product, or of each of its players.',
      {
        name: 'The name of the limit, as problem details show it. Values can be added.',
        count: 'What can be spent in a period.',
        perSeconds: 'The period, in seconds. Absent: the limit is of a total, and has no period.',
      },
    ),
  },
})
