import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'

/** The result of a conditional write; `undefined` if its condition is not met. */
export async function unlessConditionFails<Result>(
  write: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await write
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined
    throw error
  }
}
