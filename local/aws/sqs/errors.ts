import { AwsError } from '../protocol.ts'

/**
 * The codes that SQS's older query protocol had for these errors; SDKs that began with it still go
 * by them, and find them in a header of the answer.
 */
const queryCodes = {
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  InvalidAttributeName: 'InvalidAttributeName',
  InvalidAttributeValue: 'InvalidAttributeValue',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  InvalidMessageContents: 'InvalidMessageContents',
  InvalidParameterValue: 'InvalidParameterValue',
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  ReceiptHandleIsInvalid: 'ReceiptHandleIsInvalid',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
}

/** An error by the name that SQS gives it. */
export function sqsError(type: keyof typeof queryCodes, message: string): AwsError {
  const headers = { 'x-amzn-query-error': `${queryCodes[type]};Sender` }
  return new AwsError(type, message, { headers })
}
