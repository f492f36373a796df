import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowlist } from '../../../lib/domain/allowlist/allowlist-nfts.ts'
import { listAllowedNfts } from '../../../lib/domain/allowlist/list-allowed-nfts.ts'
import { disconnectContract } from '../../../lib/domain/allowlist/unbind-contract.ts'
import { InvalidInput, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { Nft } from '../../../lib/domain/nft/nft.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { someBeginning, someCommands, someLimits } from '../../support/allowlist-model/commands.ts'
import { begin, finish, newRun } from '../../support/allowlist-model/model-run.ts'
import { emptyMemory, type Memory } from '../../support/memory/memory.ts'
import { memoryPorts } from '../../support/memory/memory-ports.ts'
import { actor, allow, connect, nft, productId } from '../../support/memory/owned-nfts.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

/** .ci/soak checks 50,000 histories, which takes minutes. */
const histories = Number(process.env['MODEL_HISTORIES'] ?? 2_000)

const history = fc
  .integer({ min: 1, max: 3 })
  .chain((callers) => fc.tuple(fc.scheduler(), someLimits, someBeginning, someCommands(callers)))

test(`D57, D17, D18, D19, D20: in ${histories} histories, every response and every list is that of a set, with callers at the same time and crashes`, async () => {
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

const contract = { chain: 'POLYGON', address: addressOf(1) } as const

/** Allowlists the NFT 1 of the contract. */
const put = (memory: Memory) =>
  allowlist(
    actor,
    { contract, description: 'kites', elements: [nft(1).tokenId] },
    memoryPorts(memory),
  )

describe('4.3, 4.5: what the model of the allowlist does not reach', () => {
  test('D16: the 500th contract is accepted and the next is refused; connected contracts still accept NFTs', async () => {
    const memory = emptyMemory()
    const many = Array.from({ length: 499 }, (_, index) => nft(0, index + 2))
    connect(memory, many)
    await put(memory)
    memory.contracts.delete(`${productId} POLYGON ${addressOf(1)}`)
    connect(memory, [nft(0, 1000)])
    await expect(put(memory)).rejects.toThrow(InvalidInput)
    memory.contracts.delete(`${productId} POLYGON ${addressOf(1000)}`)
    connect(memory, [nft(0, 1)])
    expect(await put(memory)).toEqual([nft(1)])
  })

  test('D19: unbinding a contract after the deadline fails, and takes no effect afterwards', async () => {
    const memory = emptyMemory()
    await put(memory)
    const unbinding = disconnectContract(actor, contract, 0, memoryPorts(memory))
    await expect(unbinding).rejects.toBeInstanceOf(ServiceUnavailable)
    expect(await listAllowedNfts(productId, {}, memoryPorts(memory))).toEqual({ entries: [nft(1)] })
  })
})

test('4.4, D18: a cursor continues after an NFT or a contract that was removed', async () => {
  const memory = emptyMemory()
  connect(memory, [nft(0, 1), nft(0, 3)])
  allow(memory, [nft(1, 1), nft(9, 1), nft(5, 3)])
  const behind = async (gone: Nft) => {
    const { entries } = await listAllowedNfts(productId, { after: gone }, memoryPorts(memory))
    return entries
  }
  expect(await behind(nft(4, 1))).toEqual([nft(9, 1), nft(5, 3)])
  expect(await behind(nft(4, 2))).toEqual([nft(5, 3)])
  expect(await behind(nft(4, 1, 'BSC'))).toHaveLength(3)
  expect(await behind(nft(5, 3))).toEqual([])
})
