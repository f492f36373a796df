import { afterEach, beforeEach, vi } from 'vitest'
import { openTable } from '../../../../lib/adapters/dynamodb/table.ts'
import { storedItems } from '../../../support/aws/stored-items.ts'
import { startTestAws } from '../../../support/aws/test-aws.ts'

/** When each test begins. */
export const now = 1_800_000_000_000

/** The embedded AWS of a test file, and its table, which is empty when a test begins. */
export async function startStored() {
  const aws = await startTestAws()
  const table = openTable()
  const items = storedItems(table)
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now })
    await items.empty()
  })
  afterEach(() => {
    vi.useRealTimers()
    aws.interfere({})
  })
  return { aws, table, items }
}
