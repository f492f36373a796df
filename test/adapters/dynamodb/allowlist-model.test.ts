import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dynamoAllowedTokenIds } from '../../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { QueryCommand } from '../../../lib/adapters/dynamodb/commands.ts'
import { dynamoContracts } from '../../../lib/adapters/dynamodb/contracts.ts'
import { bindingPartition } from '../../../lib/adapters/dynamodb/keys/binding-partition.ts'
import { contractsOf } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import { dynamoProductEvents } from '../../../lib/adapters/dynamodb/product-events.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'
import { someBeginning, someCommands, someLimits } from '../../support/allowlist-model/commands.ts'
import {
  begin,
  finish,
  type ModelledSystem,
  newRun,
} from '../../support/allowlist-model/model-run.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { emptyMemory, memoryPorts, tapPorts } from '../../support/memory/memory-ports.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

await startTestAws()
const table = openTable()

/** The service over the table, for a product of its own. Everything but the table is in memory. */
function newSystem() {
  const messages: ProductWork[] = []
  const ports: ModelledSystem['ports'] = {
    ...memoryPorts(emptyMemory()),
    contracts: dynamoContracts(table),
    allowedTokenIds: dynamoAllowedTokenIds(table),
    events: dynamoProductEvents(table),
    workQueue: {
      send: async (item: ProductWork) => {
        messages.push(item)
      },
    },
  }
  return {
    productId: randomUUID() as string as ProductId,
    messages,
    ports,
    portsOf: (tap) => tapPorts(ports, tap),
    turn: () => undefined,
    untilEnded: (calls) => calls,
  } satisfies Omit<ModelledSystem, 'limits'>
}

/** The number of items of a partition whose sort keys begin with a prefix. */
async function countItems(pk: string, prefix = ''): Promise<number> {
  const { Count = 0 } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ...(prefix !== '' && { ':prefix': prefix }) },
      Select: 'COUNT',
      ConsistentRead: true,
    }),
  )
  return Count
}

describe('histories of an allowlist in the table', () => {
  const history = fc.tuple(someLimits, someBeginning, someCommands(3))

  test('D57, D17, D18, D19, D20: every response and every list is that of a set, with callers at the same time and crashes', {
    timeout: 300_000,
  }, async () => {
    await checkAsync(
      fc.asyncProperty(history, async ([limits, beginning, commands]) => {
        const system: ModelledSystem = { ...newSystem(), limits }
        const run = newRun()
        if (beginning) begin(run, system, { caller: 0, call: beginning, repeats: false })
        await fc.asyncModelRun(() => ({ model: run, real: system }), commands)
        await finish(run, system)
        const { pk, prefix } = contractsOf(system.productId)
        const partitions = system.messages.flatMap((item) =>
          item.kind === 'sweep' ? [bindingPartition(item.contract.bindingId)] : [],
        )
        const left = [
          countItems(pk, prefix),
          ...partitions.map((partition) => countItems(partition)),
        ]
        expect((await Promise.all(left)).filter((count) => count > 0)).toEqual([])
      }),
      40,
    )
  })
})
