import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dynamoAllowedTokenIds } from '../../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../../lib/adapters/dynamodb/contracts.ts'
import { bindingPartition } from '../../../lib/adapters/dynamodb/keys/binding-partition.ts'
import { contractsOf } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import { dynamoProductEvents } from '../../../lib/adapters/dynamodb/product-events.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'
import { someBeginning, someCommands, someLimits } from '../../support/allowlist-model/commands.ts'
import {
  begin,
  finish,
  type ModelledSystem,
  newRun,
} from '../../support/allowlist-model/model-run.ts'
import { emptyMemory } from '../../support/memory/memory.ts'
import { memoryPorts, tapPorts } from '../../support/memory/memory-ports.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'
import { newProductId, startTable } from './stored-fixture.ts'

const { items, table } = await startTable()

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
    productId: newProductId(),
    messages,
    ports,
    portsOf: (tap) => tapPorts(ports, tap),
    turn: () => undefined,
    untilEnded: (calls) => calls,
  } satisfies Omit<ModelledSystem, 'limits'>
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
        const contracts = contractsOf(system.productId)
        const partitions = system.messages.flatMap((item) =>
          item.kind === 'sweep' ? [bindingPartition(item.contract.bindingId)] : [],
        )
        const isLeft = ({ pk, sk }: Record<string, string>) =>
          pk === contracts.pk ? sk?.startsWith(contracts.prefix) : partitions.includes(pk ?? '')
        expect((await items.all()).filter(isLeft)).toEqual([])
      }),
      40,
    )
  })
})
