import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import {
  exampleRegistration,
  productFields,
  productIdMeaning,
} from '../../lib/contract/documentation/product-fields.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { emailText, nameText, text, websiteText } from '../../lib/contract/fields/texts.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { haveOneWebsite, oneWebsite } from '../../lib/contract/website.ts'

export const row = {
  id: 'registerProduct',
  section: '4.1',
  method: 'POST',
  paths: [`${base}/product`],
  auth: 'NONE',
  limits: ['registrations', 'registrations_by_address'],
  bySourceAddress: true,
  /** The body of 4.1; `website` and `websiteLink` are two names of one field (D7). */
  body: v.pipe(
    v.object({
      name: nameText(2, 100),
      description: v.optional(text(10, 2000)),
      contactEmail: emailText,
      companyName: nameText(2, 100),
      companyDescription: v.optional(text(10, 2000)),
      website: v.optional(websiteText),
      websiteLink: v.optional(websiteText),
    }),
    v.forward(v.partialCheck([['website'], ['websiteLink']], haveOneWebsite, oneWebsite), [
      'websiteLink',
    ]),
  ),
  effect: 'once',
  answer: v.object({
    apiKey: v.pipe(shownText, v.uuid()),
    productId: v.pipe(shownText, v.uuid()),
  }),
} as const satisfies Route

export const requests: OperationRequests = {
  each: { PutItem: 2 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Product',
  summary: 'Register product',
  description:
    'Registers a product and returns its API key, which is shown only once. Only a digest of the key is kept, so a lost key cannot be shown again. Names are not unique: repeating a registration creates another product.\n\nLengths count Unicode code points. The website may be sent as `website` or as `websiteLink`.',
  requests: {
    full: { summary: 'Every field', value: exampleRegistration.full },
    minimal: { summary: 'Only what is required', value: exampleRegistration.minimal },
  },
  answers: {
    registered: {
      summary: 'The new key',
      value: { apiKey: example.apiKey, productId: example.productId },
    },
  },
  invalidRequest: {
    summary: 'A name of one letter, an address without @, no company',
    sent: { body: { name: 'L', contactEmail: 'brindlewake.example' } },
    faults: {
      name: 'must be 2 to 100 characters long',
      contactEmail: 'must have something on each side of a single @',
      companyName: 'is required',
    },
  },
  schemas: {
    ProductRegistration: describedObject(row.body, 'A product to register.', productFields),
    ProductKey: describedObject(row.answer, 'The key of a new product.', {
      apiKey: 'The product API key for the header `X-Api-Key`. It is shown only here: keep it.',
      productId: productIdMeaning,
    }),
  },
})
