import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type Key, keyText } from '../../../lib/adapters/dynamodb/keys/key.ts'
import { openTable, type Table } from '../../../lib/adapters/dynamodb/table.ts'
import { RateLimited } from '../../../lib/domain/failures.ts'
import { type Address, toAddress } from '../../../lib/domain/nft/address.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { storedItems } from '../../support/aws/stored-items.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import type { ProxiedRequest } from '../../support/proxies/fault-proxy.ts'

/** When each test with an empty table begins. */
export const now = 1_800_000_000_000

export const newProductId = () => randomUUID() as string as ProductId
export const newWallet = (): Address => toAddress(`0x${randomBytes(20).toString('hex')}`)
/** A user id as it is assigned to a wallet. */
export const newUserId = () => 2 ** 31 + randomBytes(4).readUInt32BE()

/** Stops the clock, and no other timer, at this number of seconds from now, until the test ends. */
export const passSeconds = (seconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })

/** A key as DynamoDB has it. */
interface StoredKey {
  pk: { S: string }
  sk: { S: string }
}

/** The action of a request, with the number of keys in a batch. */
function nameOf({ action, body }: ProxiedRequest): string {
  const [batch] = Object.values<{ Keys?: unknown[] }>(body.RequestItems ?? {})
  return batch?.Keys ? `${action} of ${batch.Keys.length}` : action
}

/** The embedded AWS of a test file, and its table. Faults and a clock that stands still end with each test. */
export async function startTable() {
  const aws = await startTestAws()
  const table = openTable()
  afterEach(() => {
    vi.useRealTimers()
    aws.interfere({})
  })
  async function sentBy(run: () => Promise<unknown>): Promise<ProxiedRequest[]> {
    const before = aws.proxy.requests.length
    await run()
    return aws.proxy.requests.slice(before)
  }
  return {
    ...{ aws, table, items: storedItems(table), sentBy },
    requestsOf: async (run: () => Promise<unknown>) => (await sentBy(run)).map(nameOf),
    /** The same without the further attempts of the SDK, which a busy machine can cause. */
    firstAttemptsOf: async (run: () => Promise<unknown>) =>
      (await sentBy(run)).filter(({ attempt }) => attempt === 1).map(nameOf),
    /**
     * Has DynamoDB process only the keys of the next list in each BatchGetItem, and all keys after the lists. Returns
     * how many keys each request has had.
     */
    processOnly(...turns: readonly (readonly Key[])[]): number[] {
      const sizes: number[] = []
      aws.interfere({
        onResponse({ action, body }, answer) {
          if (action !== 'BatchGetItem') return undefined
          const turn = turns[sizes.length]
          const { Keys } = body.RequestItems[table.name]
          sizes.push(Keys.length)
          if (!turn) return undefined
          const names = new Set(turn.map(keyText))
          const isProcessed = ({ pk, sk }: StoredKey) => names.has(keyText({ pk: pk.S, sk: sk.S }))
          const { Responses } = JSON.parse(String(answer.body))
          const rest = Keys.filter((key: StoredKey) => !isProcessed(key))
          return {
            status: 200,
            body: {
              Responses: { [table.name]: Responses[table.name].filter(isProcessed) },
              UnprocessedKeys: rest.length > 0 ? { [table.name]: { Keys: rest } } : {},
            },
          }
        },
      })
      return sizes
    },
    /** Refuses all requests, or those of an action, with an error of this name, which may be one of throttling. */
    refuse: (name: string, action?: string) =>
      aws.interfere({
        onRequest: (request) =>
          action === undefined || request.action === action
            ? { status: 400, body: { __type: `com.amazonaws.dynamodb.v20120810#${name}` } }
            : undefined,
      }),
    /** Loses the first response to each request of this action. Returns how many were lost. */
    loseOnce(action: string): () => number {
      let lost = 0
      aws.interfere({
        onResponse(request) {
          if (request.action !== action || request.attempt > 1) return undefined
          lost += 1
          return 'drop'
        },
      })
      return () => lost
    },
  }
}

/** The same, with a table that is empty when a test begins, and a clock that stands still at {@link now}. */
export async function startStored() {
  const started = await startTable()
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now })
    await started.items.empty()
  })
  return started
}

/** The same table, whose commands each wait for what happens before it. */
export const tappedTable = (
  table: Table,
  before: (command: Parameters<Table['client']['send']>[0]) => unknown,
): Table => ({
  ...table,
  client: {
    async send(command) {
      await before(command)
      return await table.client.send(command)
    },
  },
})

/** Expects that one of these calls, all at the same time, succeeds. */
export async function expectOneOf(count: number, call: (index: number) => Promise<unknown>) {
  const made = await Promise.all(Array.from({ length: count }, (_, index) => call(index)))
  expect(made.filter(Boolean)).toHaveLength(1)
}

/** How many of these calls a limit permits, and the refusals of the others. */
export async function permitted(calls: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(calls)
  const refusals = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(RateLimited)
  return { count: settled.length - refusals.length, refusals }
}
