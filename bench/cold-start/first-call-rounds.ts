import type { Surroundings } from '../stubs/surroundings.ts'
import { type Start, sampleOf } from './samples.ts'

/** A delay, in milliseconds, after which concurrent requests are all in progress together. */
const roundMilliseconds = 60

/** Counts the rounds of requests to DynamoDB in a first call. */
export async function firstCallRounds(
  start: Start,
  { counter, delays }: Surroundings,
): Promise<number> {
  const before = delays.DynamoDB
  delays.DynamoDB = roundMilliseconds
  try {
    counter.take()
    await sampleOf(start)
    return counter.take().dynamodbRounds
  } finally {
    delays.DynamoDB = before
  }
}
