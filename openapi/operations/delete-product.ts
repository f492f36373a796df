import { confirmation } from '../components/confirmation.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** D45 */
export const deleteProduct: OperationDocumentation<'deleteProduct'> = {
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
      value: {
        data: { message: `Product ${example.productId} has ended and is being deleted.` },
      },
    },
  },
  invalidRequest: {
    summary: 'Without the name',
    sent: { query: '' },
    detail: 'confirm is required.',
    errors: [{ in: 'query', path: 'confirm', message: 'is required' }],
  },
  schemas: {
    Confirmation: confirmation,
  },
}
