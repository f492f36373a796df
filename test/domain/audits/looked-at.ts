import { lookAgain, type SecondLookPorts } from '../../../lib/domain/audits/second-look.ts'
import { rangeReader } from '../../../lib/domain/following/chain-range.ts'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import { settledDigest, understoodEvents } from '../../../lib/domain/holdings/kept-event.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import {
  type ChainEvent,
  type EventQuery,
  RangeTooLarge,
} from '../../../lib/domain/ports/chain-events.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { tablePorts } from '../../../simulation/table-ports.ts'
import { hashOf, now, setSettledIn, token } from './audited-contract.ts'

const chain = 'POLYGON'
export const [one, two] = [addressOf(1), addressOf(2)]
const [alice, bob] = [addressOf(0xa), addressOf(0xb)]
const [from, to] = [100, 399]

/** A transfer in a block, or new metadata, or what says nothing that a standard defines. */
export function event(
  contract: Address,
  number: number,
  index = 0,
  kind = 'transfer',
  branch = 'a',
): ChainEvent {
  const tokens = [{ tokenId: token(7), amount: '1' }]
  const content = { kind: 'transfer', from: alice, to: bob, tokens } as const
  const contents = { transfer: content, metadata: { kind: 'metadata' }, unknown: undefined }
  return {
    ...{ contract, index },
    block: { number, hash: hashOf(number, branch) },
    details: {
      ...{ transactionHash: '0x1', standard: kind === 'metadata' ? undefined : 'ERC721' },
      content: contents[kind as 'transfer'],
    },
  }
}

/** Two kept contracts whose events up to the block 400 have settled, and the source that is read again. */
export function lookedAt() {
  const calls: string[] = []
  const source = {
    events: [] as ChainEvent[],
    refuses: (_query: EventQuery) => false,
  }
  const turn = async (call: string) => {
    calls.push(call)
  }
  const { followed, kept, settledDigests, ...table } = tablePorts(() => now, turn)
  const snapshot = { id: '7', standard: 'ERC721', step: 1, since: 5, at: 0 } as const
  for (const address of [one, two])
    kept.contracts.set(address, {
      ...{ ...newKeptContract(address), version: 1, settledUpTo: 50, snapshot },
    })
  const setSettled = (number: number) => setSettledIn(followed, number)
  setSettled(400)
  const ports: SecondLookPorts = {
    ...{ ...table, now: () => now },
    settledDigests: {
      async read(contract, blocks) {
        await turn(`digests of ${blocks.after + 1}-${blocks.upTo}`)
        return await settledDigests.read(contract, blocks)
      },
    },
    ranges: rangeReader(chain, {
      head: () => Promise.reject(new Error('not asked for')),
      block: () => Promise.reject(new Error('not asked for')),
      async events(query) {
        await turn(`events ${query.from}-${query.to} of ${query.contracts.length}`)
        if (source.refuses(query)) throw new RangeTooLarge('too large')
        return source.events.filter(
          ({ contract, block }) =>
            query.contracts.includes(contract) &&
            block.number >= query.from &&
            block.number <= query.to,
        )
      },
    }),
  }
  return {
    ...{ kept, calls, source, ports, setSettled },
    /** Events settle after one block and up to another one, as the follower notes them. */
    settle: (address: Address, after: number, upTo: number, ...events: ChainEvent[]) =>
      settledDigests.add(
        { chain, address },
        settledDigest(understoodEvents(events, 'ERC721').events, { after, upTo }),
      ),
    /** The source has had these events since. */
    tell: (...events: ChainEvent[]) => source.events.push(...events),
    look: (since = 50, isSuspected?: true, addresses = [one, two], blocks = { from, to }) => {
      const contracts = addresses.map((address) => ({
        ...{ address, id: '7', since, ...(isSuspected && { isSuspected }) },
      }))
      return lookAgain({ chain, ...blocks, contracts }, ports, now + 40_000)
    },
    item: (address: Address) => kept.contracts.get(address),
  }
}
