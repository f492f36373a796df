import type { Address } from '../../../lib/domain/nft/address.ts'
import type { ContractKey } from '../../../lib/domain/nft/nft.ts'
import { totalBalance } from '../../../lib/domain/player/balance.ts'
import type { KeptBalances } from '../../../lib/domain/ports/kept-balances.ts'
import { acceptedAgeOf } from '../../../lib/http/cache-control.ts'
import { expectThat, expectWished, Violation } from './oracle.ts'
import { isOfIndexer } from './readers.ts'
import { type AskedCall, type CallerWish, callerWishes } from './reads.ts'
import { simulatedIndexer } from './simulated-indexer.ts'
import { contractKeys, followedChain, playerWallets, type World } from './world.ts'

const token = contractKeys[0] as ContractKey

/** Reads a player's balance, which is the number of NFTs on the followed chain, and judges the response. */
export async function readBalance(
  world: World,
  { player, cacheControl }: { player: number; cacheControl: number },
): Promise<void> {
  const { time } = world
  const wallets = playerWallets[player] as readonly Address[]
  const wish = callerWishes[cacheControl % callerWishes.length] as CallerWish
  const start = time.now()
  const calls: AskedCall[] = []
  const indexer = simulatedIndexer(world, (call) => calls.push(call))
  const acceptedAge = acceptedAgeOf(wish.header)
  const keptBalances = memoryKeptBalances(world)
  const request = { acceptedAge, deadline: start + 24_000 }
  try {
    const answer = await totalBalance({ token, decimals: 0 }, wallets, request, {
      ...{ indexer, keptBalances },
    })
    const { units, asOf, isStale } = answer
    const totals = totalsIn(world, wallets, asOf)
    expectThat(totals.has(Number(units)), 'a balance was held since asOf', `${units}`, [...totals])
    const hasKept = calls.length < wallets.length
    const permitted = hasKept ? world.history.rememberSeconds : 24
    expectWished({ wish, start, asOf, isStale, calls }, hasKept, permitted)
  } catch (error) {
    if (error instanceof Violation || !isOfIndexer(error, calls)) throw error
  }
}

/** The totals of what each wallet held at some moment in a period that ends now. */
function totalsIn({ chains, time }: World, wallets: readonly Address[], from: number): Set<number> {
  const states = chains.get(followedChain)?.statesIn(from, time.now()) ?? []
  let totals = new Set([0])
  for (const wallet of wallets) {
    const held = states.map(({ owners }) => owners.filter((owner) => owner === wallet).length)
    totals = new Set([...totals].flatMap((total) => held.map((count) => total + count)))
  }
  return totals
}

function memoryKeptBalances({ table, time, history: { rememberSeconds } }: World): KeptBalances {
  const turn = () => time.sleep(time.between(1, 40))
  return {
    rememberSeconds,
    async find(_, owners) {
      await turn()
      const found = owners.flatMap((owner) => {
        const kept = table.balances.get(owner)
        return kept && rememberSeconds > 0 ? [[owner, kept] as const] : []
      })
      return new Map(found)
    },
    keep(_, balances) {
      const write = async () => {
        await turn()
        for (const { owner, ...kept } of balances) table.balances.set(owner, kept)
      }
      void write()
    },
  }
}
