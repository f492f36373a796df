import { expect, onTestFinished, test, vi } from 'vitest'
import { followChain } from '../../../lib/domain/following/follow-chain.ts'
import { walletReading } from '../../../lib/domain/reading/wallet-reading.ts'
import { contract, settings } from '../../support/follower/followed.ts'
import { addressOf, memoryChain } from '../../support/follower/memory-chain.ts'
import { nft, owned, productId } from '../../support/memory/owned-nfts.ts'
import { emptyTable, memoryFollowNotes } from '../../support/remembered-model/followed-table.ts'
import { memoryKeptReadings } from '../../support/remembered-model/memory-kept-readings.ts'

const chain = 'POLYGON'
const atOnce = async () => undefined

/** A clock that goes on only while something waits, and lets happen then what is planned. */
function plannedTime(start: number) {
  vi.useFakeTimers({ now: start, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const plan: { at: number; run: () => unknown }[] = []
  const sleep = async (milliseconds: number) => {
    const end = Date.now() + milliseconds
    for (let next = plan[0]; next && next.at <= end; next = plan[0]) {
      plan.shift()
      vi.setSystemTime(next.at)
      await next.run()
    }
    vi.setSystemTime(end)
  }
  const at = (moment: number, run: () => unknown) => {
    plan.push({ at: moment, run })
    plan.sort((one, other) => one.at - other.at)
  }
  return { sleep, at }
}

/** A follower, and players who each have got one NFT in a block that vanishes. */
function orphanedNfts({ settlingSeconds, lag }: { settlingSeconds: number; lag: number }) {
  const now = () => Date.now()
  const time = plannedTime(1_700_000_000_000)
  const blocks = memoryChain(now)
  const table = emptyTable()
  const followNotes = memoryFollowNotes(table, now)
  const remembering = { rememberSeconds: 0, rememberFollowedSeconds: 86_400, settlingSeconds }
  const followed = { ...remembering, followedChains: [chain] as const }
  const keptReadings = memoryKeptReadings(table, followed, now, atOnce)
  const wallets = Array.from({ length: 10 }, (_, index) => addressOf(0xa0 + index))
  /** Until when the blocks with the movements are part of the chain. */
  let vanishesAt = Number.POSITIVE_INFINITY

  /** Follows the chain for some seconds, asking a node that answers with the latest block of then after some time. */
  async function follow(seconds: number, nodeMilliseconds = 0) {
    const head: typeof blocks.head = async (...query) => {
      await time.sleep(nodeMilliseconds)
      return blocks.head(...query)
    }
    const ports = { chainEvents: { ...blocks, head }, followNotes, now, sleep: time.sleep }
    const follower = { chain, holder: `follower ${now()}` } as const
    const until = now() + seconds * 1_000
    await followChain(follower, ports, { ...settings, settlingSeconds }, until)
  }

  /** Reads the NFTs of a player, and says whether the indexer was asked. Its data lag behind the block that it states. */
  async function read(owner: (typeof wallets)[number], accepted: { refusesKept?: boolean } = {}) {
    let isAsked = false
    const ownedNfts = async () => {
      isAsked = true
      const block = await blocks.head(chain, 0)
      const has = block.at - lag < vanishesAt
      return { nfts: has ? [owned(nft(1), owner)] : [], block }
    }
    const ports = { indexer: { ownedNfts }, chainBlocks: blocks, keptReadings, remembering }
    const positions = keptReadings.positions()
    const request = { accepted, positions, limit: 1_000, deadline: now() + 25_000 }
    const scope = { productId, chain, owner, contracts: [contract] } as const
    const page = await walletReading(scope, request, ports).read({ source: 0, returned: [] })
    return { isAsked, nfts: page.nfts.length }
  }

  return {
    ...{ now, wallets, follow, read, at: time.at },
    receive: () => blocks.emit({ contract, wallets }),
    vanish() {
      vanishesAt = now()
      blocks.replace(10)
    },
  }
}

test.each([
  {
    settlingSeconds: 30,
    lag: 29_000,
    readAt: 30_000,
    when: 'half a minute later, from an indexer that is 29 s behind',
  },
  {
    settlingSeconds: 0,
    lag: 0,
    readAt: 0,
    when: 'while the node has not answered, from an indexer that is not behind',
  },
])(
  'D66: an NFT of a block that vanishes while a poll waits for its node is not remembered: read $when',
  async ({ readAt, ...behind }) => {
    const { now, wallets, follow, read, at, receive, vanish } = orphanedNfts(behind)
    for (const wallet of wallets) await read(wallet)
    await follow(60)
    receive()
    await follow(10)
    const polledAt = now()
    at(polledAt + 6_500, vanish)
    for (const [index, wallet] of wallets.entries()) {
      at(polledAt + readAt + 100 + index * 600, async () => {
        expect(await read(wallet, { refusesKept: true })).toEqual({ isAsked: true, nfts: 1 })
      })
    }
    await follow(1, 7_000)
    await follow(120)
    const later = await Promise.all(wallets.map((wallet) => read(wallet)))
    expect(later).toEqual(wallets.map(() => ({ isAsked: true, nfts: 0 })))
  },
)
