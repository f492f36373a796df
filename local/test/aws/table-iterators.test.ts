import { Level } from 'level'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTable, startAws } from './aws-clients.ts'

/** Records the iterators of LevelDB that are created until the test ends. */
function recordIterators() {
  const created = vi.spyOn(Level.prototype, 'iterator')
  onTestFinished(() => created.mockRestore())
  const isOpen = async ({ value }: (typeof created.mock.results)[number]) =>
    await value.next().then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'LEVEL_ITERATOR_NOT_OPEN',
    )
  return {
    created: () => created.mock.results.length,
    open: async () => (await Promise.all(created.mock.results.map(isOpen))).filter(Boolean).length,
  }
}

test('each read closes its iterator, whether it reads all items or the first ones', async () => {
  const { dynamodb } = await startAws()
  await createTable(dynamodb, 'items', ['pk', 'sk'])
  const text = { S: 'x'.repeat(100_000) }
  const items = Array.from({ length: 25 }, (_, n) => ({
    PutRequest: { Item: { pk: { S: 'a' }, sk: { S: `${100 + n}` }, text } },
  }))
  await dynamodb.batchWriteItem({ RequestItems: { items } })

  const iterators = recordIterators()
  const query = (Limit?: number, ScanIndexForward = true) =>
    dynamodb.query({
      TableName: 'items',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
      Limit,
      ScanIndexForward,
    })
  // The second page of 1 MB ends before the items end.
  const whole = await query()
  expect(whole.LastEvaluatedKey).toBeDefined()
  for (const limit of [1, 3, 25, 100]) expect((await query(limit)).Items?.length).toBeLessThan(26)
  await Promise.all(Array.from({ length: 20 }, (_, n) => query(1 + n, n % 2 === 0)))
  await dynamodb.scan({ TableName: 'items', Limit: 2 })
  await dynamodb.listTables({ Limit: 1 })
  expect(iterators.created()).toBe(27)
  await expect.poll(iterators.open).toBe(0)
})
