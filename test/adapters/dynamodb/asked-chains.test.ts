import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dynamoKeptHoldings } from '../../../lib/adapters/dynamodb/keeping/kept-holdings.ts'
import { readersKey } from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { storedItems } from '../../support/aws/stored-items.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { contract } from '../../support/follower/followed.ts'

const aws = await startTestAws()
const table = openTable()
const items = storedItems(table)
const chain = 'POLYGON'
const start = 1_800_000_000_000
const written = { step: 7, confirmedUpTo: start }

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  await items.put(readersKey(chain), written)
})
afterEach(() => void vi.useRealTimers())

/** Lets a new container read a contract. `meanwhile` happens between its read of the position and the note. */
const container = () => {
  const holdings = dynamoKeptHoldings(table)
  return (meanwhile: () => Promise<unknown> = async () => undefined) =>
    downstreamCalls.during(async () => {
      await holdings.position(chain, false)
      await meanwhile()
      await holdings.contracts(chain, [contract], 0)
    })
}

const stored = () => items.get(readersKey(chain))

describe('D152: a read notes that its chain is read', () => {
  test('in the item that readers share, which stays as it is, and at most once a minute over all containers', async () => {
    const [first, second] = [container(), container()]
    await first()
    expect(await stored()).toMatchObject({ ...written, askedAt: start })
    vi.setSystemTime(start + 59_000)
    await first()
    await second()
    expect(await stored()).toMatchObject({ askedAt: start })
    vi.setSystemTime(start + 60_000)
    await second()
    expect(await stored()).toMatchObject({ ...written, askedAt: start + 60_000 })
  })

  test('only where contracts are kept: no item begins with the note', async () => {
    await container()(items.empty)
    await container()()
    expect(await stored()).toBeUndefined()
    expect(aws.proxy.requests.filter(({ action }) => action === 'UpdateItem')).not.toEqual([])
  })
})
