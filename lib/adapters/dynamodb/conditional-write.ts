/** The result of a conditional write; `undefined` if its condition is not met. */
export async function unlessConditionFails<Result>(
  write: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await write
  } catch (error) {
    if (isConditionFailure(error)) return undefined
    throw error
  }
}

const isConditionFailure = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ConditionalCheckFailedException'
