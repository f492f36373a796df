import { transfer } from '../indexer/chain/movements.ts'
import { addCollection, type NftRef, type World } from '../indexer/world.ts'
import { lantern } from './sample-metadata.ts'
import { sampleAddress } from './samples.ts'

/** The one NFT of its contract. */
export const travellingLantern = {
  network: 'polygon-mainnet',
  address: sampleAddress('Travelling Lanterns'),
  tokenId: '1',
} as const satisfies NftRef

/** The wallets between which the lantern travels; its journey begins in the first. */
export const lanternWallets = [
  sampleAddress('Keeper of the Even Journeys'),
  sampleAddress('Keeper of the Odd Journeys'),
] as const

/** The time between two movements: longer than a follower needs to note one. */
export const restMilliseconds = 180_000

/** The number of movements from the start until a time, both in milliseconds since 1970. */
export const movementsUntil = (start: number, now: number): number =>
  Math.max(0, Math.floor((now - start) / restMilliseconds))

/** The wallets of a movement; the first movement has the number 1. */
export function walletsOf(movement: number) {
  const [even, odd] = lanternWallets
  return movement % 2 === 1 ? { from: even, to: odd } : { from: odd, to: even }
}

/**
 * Lets a lantern travel between two wallets by the clock alone, so that all worlds with the same start have the same
 * holdings and events, and a reader cannot tell several processes from one. Returns a function that makes the movements
 * that are due at a time.
 */
export function letLanternTravel(world: World, start: number): (now: number) => void {
  addCollection(world, {
    ...travellingLantern,
    tokenType: 'ERC721',
    name: 'Travelling Lanterns',
    totalSupply: 1,
    tokenUri: (tokenId) => `https://metadata.brindlewake.example/travelling/${tokenId}.json`,
    metadata: (tokenId) => (tokenId === travellingLantern.tokenId ? lantern(1) : undefined),
  })
  transfer(world, travellingLantern, { to: lanternWallets[0] }, start)
  let made = 0
  return (now) => {
    for (const due = movementsUntil(start, now); made < due; ) {
      made += 1
      transfer(world, travellingLantern, walletsOf(made), start + made * restMilliseconds)
    }
  }
}
