import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { GetCommand } from '../../../lib/adapters/dynamodb/commands.ts'
import { usedNonceKey } from '../../../lib/adapters/dynamodb/keys/single-items.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { dynamoUsedNonces } from '../../../lib/adapters/dynamodb/used-nonces.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'

const aws = await startTestAws()
const table = openTable()
const usedNonces = dynamoUsedNonces(table)
const now = 1_700_000_000_001

afterEach(() => {
  aws.interfere({})
})

test('D97: of many uses of a nonce at the same time, one succeeds, and none later', async () => {
  const nonce = randomUUID()
  const uses = await Promise.all(Array.from({ length: 20 }, () => usedNonces.use(nonce, now)))
  expect(uses.filter((use) => use)).toHaveLength(1)
  expect(await usedNonces.use(nonce, now + 1_000_000)).toBe(false)
  expect(await usedNonces.use(randomUUID(), now)).toBe(true)
  await usedNonces.release(nonce)
  expect(await usedNonces.use(nonce, now)).toBe(true)
})

test('D97: a used nonce is kept for 15 minutes', async () => {
  const nonce = randomUUID()
  await usedNonces.use(nonce, now)
  const command = new GetCommand({ TableName: table.name, Key: usedNonceKey(nonce) })
  const { Item } = await table.client.send(command)
  expect(Item?.['expiresAt']).toBe(1_700_000_901)
})

test('D97: a use whose response is lost succeeds, because its repetition is the same use', async () => {
  let isLost = false
  aws.interfere({
    onResponse({ action }) {
      if (action !== 'PutItem' || isLost) return undefined
      isLost = true
      return 'drop'
    },
  })
  expect(await usedNonces.use(randomUUID(), now)).toBe(true)
  expect(isLost).toBe(true)
})
