import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { someBeginning, someCommands, someLimits } from '../../support/allowlist-model/commands.ts'
import { begin, finish, newRun } from '../../support/allowlist-model/model-run.ts'
import { emptyMemory, memoryPorts } from '../../support/memory/memory-ports.ts'
import { productId } from '../../support/memory/owned-nfts.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

/** .ci/soak checks 50,000 histories, which takes minutes. */
const histories = Number(process.env['MODEL_HISTORIES'] ?? 2_000)

describe(`${histories} histories of an allowlist`, () => {
  const history = fc
    .integer({ min: 1, max: 3 })
    .chain((callers) => fc.tuple(fc.scheduler(), someLimits, someBeginning, someCommands(callers)))

  test('D57, D17, D18, D19, D20: every response and every list is that of a set, with callers at the same time and crashes', async () => {
    await checkAsync(
      fc.asyncProperty(history, async ([scheduler, limits, beginning, commands]) => {
        const memory = emptyMemory()
        const run = newRun()
        const system = {
          productId,
          limits,
          messages: memory.queue,
          ports: memoryPorts(memory),
          portsOf: (tap: Parameters<typeof memoryPorts>[1]) => memoryPorts(memory, tap),
          turn: (call: string) => scheduler.schedule(Promise.resolve(), call),
          untilEnded: (calls: Promise<unknown>) => scheduler.waitFor(calls),
        }
        if (beginning) begin(run, system, { caller: 0, call: beginning, repeats: false })
        await fc.asyncModelRun(() => ({ model: run, real: system }), commands)
        await finish(run, system)
        expect([memory.contracts, memory.allowed, memory.descriptions]).toEqual([
          new Map(),
          new Map(),
          new Map(),
        ])
      }),
      histories,
    )
  })
})
