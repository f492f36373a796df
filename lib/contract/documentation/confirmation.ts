import { confirmation } from '../answers.ts'
import { describedObject } from '../documentation.ts'

/** 4.5 */
export const confirmationSchema = describedObject(confirmation, 'The result of the operation.', {
  message: 'A sentence for a person.',
})
