import { confirmation as schema } from '../../lib/contract/answers.ts'
import { describedObject } from './schema-documentation.ts'

/** 4.5 */
export const confirmation = describedObject(schema, 'The result of the operation.', {
  message: 'A sentence for a person.',
})
