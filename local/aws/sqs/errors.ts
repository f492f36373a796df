import { AwsError } from '../protocol.ts'

/**
 * The codes of these errors in SQS's older query protocol. Some SDKs still read them, from a header of the
 * response.
 */
const queryCodes = {
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  InvalidAttributeName: 'InvalidAttributeName',
  InvalidAttributeValue: 'InvalidAttributeValue',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  InvalidMessageContents: 'InvalidMessageContents',
  InvalidParameterValue: 'InvalidParameterValue',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  ReceiptHandleIsInvalid: 'ReceiptHandleIsInvalid',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
}

/** Returns an error with the name that SQS uses. */
export function sqsError(type: keyof typeof queryCodes, message: string): AwsError {
  const headers = { 'x-amzn-query-error': `${queryCodes[type]};Sender` }
  return new AwsError(type, message, { headers })
}
