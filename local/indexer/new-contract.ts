import type { Address } from '../../lib/domain/nft/address.ts'
import { serialize } from './json-text.ts'
import { addCollection, type Collection, type Network, type World } from './world.ts'

/** Deploys an ERC-721 contract without tokens, whose minted tokens have a name, a picture and a number. */
export const deployContract = (
  world: World,
  network: Network,
  { address, name }: { address: Address; name: string },
): Collection =>
  addCollection(world, {
    network,
    address,
    tokenType: 'ERC721',
    name,
    symbol: 'NEW',
    totalSupply: 0,
    tokenUri: (tokenId) => `https://metadata.example/${address}/${tokenId}.json`,
    metadata: () => undefined,
    minted: (tokenId) => ({
      metadata: serialize({
        name: `${name} ${tokenId}`,
        description: 'Minted on this machine.',
        image: pictureOf(address, tokenId),
        attributes: [],
      }),
    }),
  })

/** A drawing in a color of the contract, with a number of the token's own. */
function pictureOf(address: Address, tokenId: string): string {
  const hue = Number.parseInt(address.slice(2, 8), 16) % 360
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="hsl(${hue} 45% 30%)"/><circle cx="50" cy="46" r="30" fill="hsl(${hue} 60% 62%)"/><text x="50" y="92" font-family="sans-serif" font-size="12" text-anchor="middle" fill="white">${tokenId.slice(0, 12)}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
