import * as v from 'valibot'
import { confirmation } from '../../lib/contract/answers.ts'
import { confirmationSchema } from '../../lib/contract/documentation/confirmation.ts'
import { type Documentation, example } from '../../lib/contract/documentation.ts'
import { text } from '../../lib/contract/fields/texts.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'deleteProduct',
  section: 'D45',
  method: 'DELETE',
  paths: [`${base}/product`],
  auth: 'PRODUCT',
  /** The query of the deletion of a product: its exact name (D45). */
  query: v.object({ confirm: text(2, 100) }),
  answer: confirmation,
} as const satisfies Route

export const requests: OperationRequests = {
  each: { UpdateItem: 1, SendMessage: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Product',
  summary: 'Delete product',
  description:
    'Ends the product for good. With the very next request, everywhere, all of its API keys are refused with 401 `invalid_api_key`, and so is a repeat of this call: a 401 after a lost response means that the product has ended. A game that names the product without a key gets 401 `missing_api_key`. Everything that is stored of the product is deleted in the background: its keys, contracts, allowlists, events and its registration. Nobody can restore it. A registration with the same name afterwards is a new product.',
  parameters: {
    confirm: {
      description:
        'The exact name of the product, as `GET /product` returns it. With any other text, nothing is changed.',
      example: 'Lanterns of Brindlewake',
    },
  },
  answers: {
    ended: {
      summary: 'The product has ended',
      value: { message: `Product ${example.productId} has ended and is being deleted.` },
    },
  },
  invalidRequest: {
    summary: 'Without the name',
    sent: { query: '' },
    faults: { confirm: 'is required' },
  },
  schemas: {
    Confirmation: confirmationSchema,
  },
})
