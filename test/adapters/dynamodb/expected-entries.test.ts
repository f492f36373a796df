import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { dynamoAllowedTokenIds } from '../../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { readItem } from '../../../lib/adapters/dynamodb/item-reads.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { BindingId } from '../../../lib/domain/nft/nft.ts'
import type { AllowedEntry } from '../../../lib/domain/ports/allowlist.ts'
import { numbers } from '../../../local/samples/samples.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'

const aws = await startTestAws()
const table = openTable()
const bindingId = randomUUID() as string as BindingId

afterEach(() => aws.interfere({}))

const tokenIds = (first: number, last: number) => numbers(first, last) as TokenId[]
const entries = (first: number, last: number): AllowedEntry[] =>
  tokenIds(first, last).map((tokenId) => ({ bindingId, tokenId }))

/** A container, whose look-ups under one name are counted with their number of keys. */
function container() {
  const allowedTokenIds = dynamoAllowedTokenIds(table)
  return async (asked: AllowedEntry[] = []) => {
    const before = aws.proxy.requests.length
    const other = readItem(table, { pk: randomUUID(), sk: 'OTHER' })
    const findAllowed = allowedTokenIds.expected('a wallet')
    await other
    const allowed = asked.length > 0 ? await findAllowed(asked) : []
    const batches = aws.proxy.requests.slice(before).map(({ body }) => {
      const [batch] = Object.values<{ Keys: unknown[] }>(body.RequestItems ?? {})
      return batch?.Keys.length ?? 1
    })
    return { allowed: allowed.map(({ tokenId }) => tokenId), batches }
  }
}

test('D96: what was looked up last is looked up in one request with other reads, as it is now', async () => {
  const lookUp = container()
  await dynamoAllowedTokenIds(table).add(bindingId, tokenIds(1, 5))
  expect(await lookUp(entries(1, 10))).toEqual({ allowed: tokenIds(1, 5), batches: [1, 10] })
  await dynamoAllowedTokenIds(table).add(bindingId, tokenIds(6, 7))
  await dynamoAllowedTokenIds(table).remove(bindingId, tokenIds(1, 2))
  expect(await lookUp(entries(1, 10))).toEqual({ allowed: tokenIds(3, 7), batches: [11] })
})

test('D96: an entry that was not expected is looked up alone', async () => {
  const lookUp = container()
  await dynamoAllowedTokenIds(table).add(bindingId, tokenIds(11, 19))
  await lookUp(entries(11, 12))
  const { allowed, batches } = await lookUp([...entries(18, 21), ...entries(11, 12)])
  expect({ allowed, batches }).toEqual({ allowed: ['18', '19', '11', '12'], batches: [3, 4] })
  expect((await lookUp(entries(18, 19))).batches).toEqual([7])
})

test('D96: nothing is expected of a name that was not asked for last, or for more than 50 entries', async () => {
  const lookUp = container()
  await lookUp(entries(1, 2))
  expect((await lookUp()).batches).toEqual([3])
  expect((await lookUp(entries(1, 50))).batches).toEqual([1, 50])
  expect((await lookUp(entries(1, 51))).batches).toEqual([51, 1])
  expect((await lookUp()).batches).toEqual([1])
})

test('D96: what DynamoDB does not return at once is looked up when it is known', async () => {
  const lookUp = container()
  await dynamoAllowedTokenIds(table).add(bindingId, tokenIds(31, 35))
  await lookUp(entries(31, 40))
  let refused = 0
  aws.interfere({
    onRequest({ body }) {
      const [name, batch] = Object.entries<{ Keys: { sk: { S: string } }[] }>(
        body.RequestItems ?? {},
      )[0] as [string, { Keys: { sk: { S: string } }[] }]
      if (batch.Keys.length !== 11) return undefined
      refused += 1
      const Keys = batch.Keys.filter(({ sk }) => sk.S !== 'OTHER')
      return {
        status: 200,
        body: { Responses: { [name]: [] }, UnprocessedKeys: { [name]: { ...batch, Keys } } },
      }
    },
  })
  expect(await lookUp(entries(31, 40))).toEqual({ allowed: tokenIds(31, 35), batches: [11, 10] })
  expect(refused).toBe(1)
})
