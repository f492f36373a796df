import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dynamoAllowedTokenIds } from '../../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../../lib/adapters/dynamodb/contracts.ts'
import { dynamoNftEventLog } from '../../../lib/adapters/dynamodb/nft-event-log.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { type TokenId, tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import { rangeWith, type TokenRange } from '../../../lib/domain/allowlist/token-ranges.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import { eventIdOf } from '../../../lib/domain/nft-events/event-id.ts'
import type { NftEvent } from '../../../lib/domain/nft-events/nft-event.ts'
import { type EventStart, readNftEvents } from '../../../lib/domain/nft-events/read-nft-events.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { alice, bob, Killed } from '../../support/follower/followed.ts'
import { addressOf, memoryChain } from '../../support/follower/memory-chain.ts'
import { followedTable, sleep, start } from '../../support/follower/stored-notes.ts'

await startTestAws()
const table = openTable()
const { empty } = followedTable(table)
const log = dynamoNftEventLog(table)
const chain = 'POLYGON'

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  await empty()
})

afterEach(() => {
  vi.useRealTimers()
})

/** A part of the NFTs of a contract. */
interface Part {
  address: Address
  ranges?: TokenRange[]
  tokenIds?: readonly string[]
}

describe('D119: three products on three contracts with 10,000 transfers', () => {
  const [one, two, three] = [0xc1, 0xc2, 0xc3].map(addressOf) as [Address, Address, Address]
  const everything = [{ first: 0n, last: 2n ** 256n - 1n }]
  const products: Record<string, Part[]> = {
    all: [
      { address: one, ranges: everything },
      { address: two, ranges: everything },
    ],
    part: [
      { address: one, tokenIds: ['1', '3', '250', '400'] },
      { address: two, ranges: [{ first: 100n, last: 299n }], tokenIds: ['7'] },
    ],
    other: [{ address: three, ranges: [{ first: 0n, last: 49n }] }],
  }
  const isAllowed = (parts: Part[], address: Address, tokenId: string) =>
    parts.some(
      (part) =>
        part.address === address &&
        (rangeWith(part.ranges ?? [], BigInt(tokenId)) !== undefined ||
          part.tokenIds?.includes(tokenId)),
    )

  /** A random number below a bound, always the same ones. */
  function random() {
    let state = 20_251_127
    return (bound: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * bound)
    }
  }

  test('get exactly those of their allowlists, in order, though followers die and blocks are replaced', {
    timeout: 240_000,
  }, async () => {
    const next = random()
    const contracts = dynamoContracts(table)
    const allowedTokenIds = dynamoAllowedTokenIds(table)
    for (const [name, parts] of Object.entries(products)) {
      for (const { address, ranges = [], tokenIds = [] } of parts) {
        const connected = await contracts.connect(name as ProductId, { chain, address }, ranges)
        if (connected) await allowedTokenIds.add(connected.bindingId, tokenIds as TokenId[])
      }
    }
    let writesLeft = Number.POSITIVE_INFINITY
    const send: typeof table.client.send = async (command) => {
      if (!/Get|Query/.test(command.operation)) writesLeft -= 1
      if (writesLeft < 0) throw new Killed()
      return await table.client.send(command)
    }
    const { follow } = followedTable({ ...table, client: { ...table.client, send } })
    const events = memoryChain(Date.now)
    const ports = { contracts, allowedTokenIds, nftEventLog: log }
    const settings = { followedChains: [chain], webhookContracts: 20 } as const
    const readers = Object.keys(products).map((name) => ({
      name,
      start: { since: start, chains: new Map() } as EventStart,
      read: [] as NftEvent[],
    }))
    const readAll = async () => {
      for (const reader of readers) {
        for (;;) {
          const wanted = { start: reader.start, limit: 1 + next(150), now: Date.now() }
          const page = await readNftEvents(reader.name as ProductId, wanted, ports, settings)
          reader.read.push(...page.events)
          reader.start = page.next
          if (page.events.length === 0) break
        }
      }
    }
    let emitted = 0
    const emit = (address: Address) => {
      const tokens = Array.from({ length: 1 + next(9) }, () => ({
        tokenId: tokenIdOf(BigInt(next(500))),
        amount: '1',
      }))
      emitted += tokens.length
      const content = { kind: 'transfer', from: alice, to: bob, tokens } as const
      const details = { transactionHash: `0x${emitted}`, content }
      events.emit({ contract: address, wallets: [alice, bob], details })
    }
    await readAll()
    await follow(events, 100)
    let kills = 0
    for (let round = 0; emitted < 10_000; round += 1) {
      for (let count = 0; count < 12; count += 1) emit([one, two, three][next(3)] as Address)
      writesLeft = next(12)
      await follow(events, 40).catch((error) => {
        if (!(error instanceof Killed)) throw error
        kills += 1
      })
      writesLeft = Number.POSITIVE_INFINITY
      await sleep(41_000)
      if (round % 4 === 0) {
        const before = events.logs
        events.replace(1 + next(8))
        for (const replaced of before.filter((each) => !events.logs.includes(each)))
          emit(replaced.contract)
      }
      await follow(events, 11)
      await readAll()
    }
    await follow(events, 100)
    await readAll()
    expect(kills).toBeGreaterThan(100)
    for (const { name, read } of readers) {
      const parts = products[name] ?? []
      const happened = events.logs
        .toSorted((a, b) => a.block.number - b.block.number || a.index - b.index)
        .flatMap(({ contract: address, block, index, details }) =>
          details?.content?.kind === 'transfer'
            ? details.content.tokens
                .map(({ tokenId }, place) => ({
                  tokenId,
                  text: `${address} ${block.number} ${block.hash} ${index} ${place} ${tokenId}`,
                }))
                .filter(({ tokenId }) => isAllowed(parts, address, tokenId))
                .map(({ text }) => text)
            : [],
        )
      const told = read.flatMap((event) =>
        event.content.kind === 'transfer'
          ? [
              `${event.contract} ${event.block.number} ${event.block.hash} ${event.logIndex} ${event.place} ${event.content.tokenId}`,
            ]
          : [],
      )
      expect(told).toEqual(happened)
      expect(new Set(read.map(eventIdOf)).size).toBe(read.length)
      // A reader who begins anew is told the same, with the same ids.
      const again = await readNftEvents(
        name as ProductId,
        { start: { since: start, chains: new Map() }, limit: 1_000, now: Date.now() },
        ports,
        settings,
      )
      expect(again.events.map(eventIdOf)).toEqual(read.slice(0, again.events.length).map(eventIdOf))
    }
  })
})
