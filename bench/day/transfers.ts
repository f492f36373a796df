/** A transfer of an NFT between two wallets. */
export interface Transfer {
  at: number
  from: number
  to: number
}

export const dayMilliseconds = 86_400_000

/** In how many transfers each wallet takes part in a day: in one, or in one as giver and in one as taker. */
export type TransfersOfWallet = 1 | 2

/** The transfers of a day at random times, in their order. The wallets of each transfer are random. */
export function transfersOf(
  from: number,
  walletCount: number,
  ofWallet: TransfersOfWallet,
  random: () => number,
): Transfer[] {
  const order = shuffled(walletCount, random)
  // Every second wallet gives to the next one, or each gives to the next one in a circle.
  const givers = ofWallet === 1 ? order.filter((_, index) => index % 2 === 0) : order
  const step = ofWallet === 1 ? 2 : 1
  const transfers = givers.map((giver, index) => ({
    at: from + random() * dayMilliseconds,
    from: giver,
    to: order[(index * step + 1) % walletCount] as number,
  }))
  return transfers.sort((a, b) => a.at - b.at)
}

/** The numbers from 0 to below `count` in a random order (Fisher and Yates). */
function shuffled(count: number, random: () => number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1))
    ;[numbers[last], numbers[chosen]] = [numbers[chosen] as number, numbers[last] as number]
  }
  return numbers
}

/** Random numbers from 0 to 1, without 1, that are the same for each seed: the generator mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
