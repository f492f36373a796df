import type { Holdings } from '../../../lib/domain/holdings/holdings.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { ModelBlock } from './kept-chain.ts'
import { type KeptWorld, settlingSeconds } from './kept-world.ts'

/** What wallets hold, as an answer says. */
export type SaidHoldings = ReadonlyMap<Address, Holdings>

/**
 * Whether what an answer says of wallets held, for all of them together, after one block that some node had as its latest or before it, between
 * the moment of which the answer speaks, less the settling time, and now.
 */
export function wasTrue({ time, model, options }: KeptWorld, said: SaidHoldings, moment: number) {
  const slackSeconds = options.far > 0 ? 40 : 0
  const earliest = moment - (settlingSeconds + slackSeconds) * 1_000
  const judged = new Set<ModelBlock>()
  for (let index = model.heads.length - 1; index >= 0; index -= 1) {
    const { since, block: head } = model.heads[index] as (typeof model.heads)[number]
    if (since <= time.now()) {
      for (
        let block: ModelBlock | undefined = head;
        block && !judged.has(block);
        block = block.parent
      ) {
        judged.add(block)
        if (isState(block, said)) return true
        if (block.at < earliest) break
      }
    }
    if (since < earliest) break
  }
  return false
}

const isState = ({ state }: ModelBlock, said: SaidHoldings): boolean =>
  [...said].every(([wallet, holdings]) =>
    [...state].every(([tokenId, of]) => (of.get(wallet) ?? 0n) === (holdings.get(tokenId) ?? 0n)),
  )
