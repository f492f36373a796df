import { randomBytes } from 'node:crypto'
import { eventOf } from './events.ts'
import type { SignedInPlayer } from './players.ts'
import { chain, type SeededProduct, tokenIds } from './products.ts'

/** An operation to measure. */
export interface Operation {
  title: string
  /** The function that carries it out. */
  functionName: string
  /** Makes the event of a call. It is called before each call. */
  event(): unknown
  /** Whether cursors are followed to the end. */
  isWhole?: boolean
  /** Restores the state that a call changes. */
  restore?: () => void
}

/** The data of a measurement. */
export interface Scene {
  product: SeededProduct
  /** Players by the number of NFTs in their only wallet. */
  players: ReadonlyMap<number, SignedInPlayer>
}

const registration = {
  name: 'Lanterns of Brindlewake',
  contactEmail: 'studio@brindlewake.example',
  companyName: 'Gull Harbour Games',
}

const allowlisting = (contractAddress: string) => ({
  chain,
  contractAddress,
  contractDescription: 'The keepers of the lamps.',
  tokens: tokenIds(1_000),
})

const newAddress = () => `0x${randomBytes(20).toString('hex')}`

const playerOf = ({ players }: Scene, nfts: number): SignedInPlayer => {
  const player = players.get(nfts)
  if (!player) throw new Error(`no player holds ${nfts} NFTs`)
  return player
}

/** All NFTs of the player in raw form. */
export const playerNfts = (scene: Scene, nfts: number): Operation => {
  const { playerToken } = playerOf(scene, nfts)
  return {
    title: `player's NFTs, wallet of ${nfts.toLocaleString('en')}`,
    functionName: 'get-raw-metadata',
    event: () => eventOf({ apiKey: scene.product.apiKey, query: { playerToken } }),
    isWhole: true,
  }
}

/** Allowlisting 1,000 NFTs that are on the allowlist already. */
export const allowlistAgain = ({ apiKey, address, restore }: SeededProduct): Operation => ({
  title: 'allowlist 1,000 NFTs',
  functionName: 'allowlist-nfts',
  event: () => eventOf({ apiKey, body: allowlisting(address) }),
  restore,
})

/** The other operations whose requests are counted. */
export function operationsOf(scene: Scene) {
  const { apiKey, address: contractAddress, restore } = scene.product
  const { playerToken, userJwt } = playerOf(scene, 10)
  const ofContract = { contractAddress, chain }
  return {
    register: {
      title: 'register product',
      functionName: 'register-product',
      event: () => eventOf({ body: registration }),
    },
    get: {
      title: 'get product',
      functionName: 'get-product',
      event: () => eventOf({ apiKey }),
    },
    list: {
      title: 'get allowed NFTs',
      functionName: 'get-allowed-nfts',
      event: () => eventOf({ apiKey }),
    },
    allowlist: allowlistAgain(scene.product),
    allowlistNewContract: {
      title: 'allowlist 1,000 NFTs, new contract',
      functionName: 'allowlist-nfts',
      event: () => eventOf({ apiKey, body: allowlisting(newAddress()) }),
    },
    unbindNfts: {
      title: 'unbind 100 NFTs',
      functionName: 'unbind-nfts',
      event: () => eventOf({ apiKey, query: { ...ofContract, tokens: tokenIds(100).join() } }),
      restore,
    },
    unbindContract: {
      title: 'unbind contract',
      functionName: 'unbind-contract',
      event: () => eventOf({ apiKey, query: ofContract }),
      restore,
    },
    refresh: {
      title: 'refresh metadata',
      functionName: 'refresh-metadata',
      event: () => eventOf({ apiKey, body: { smartContract: contractAddress } }),
      restore,
    },
    structured: {
      title: "player's NFTs, structured, wallet of 10",
      functionName: 'get-structured-metadata',
      event: () => eventOf({ apiKey, query: { playerToken } }),
    },
    mint: {
      title: 'create player token',
      functionName: 'create-player-token',
      event: () => eventOf({ userJwt }),
    },
    details: {
      title: 'player details',
      functionName: 'get-player-details',
      event: () => eventOf({ query: { playerToken } }),
    },
    publicKey: {
      title: 'get public key',
      functionName: 'get-public-key',
      event: () => eventOf({}),
    },
    keySet: { title: 'get key set', functionName: 'get-key-set', event: () => eventOf({}) },
    openapi: {
      title: 'get OpenAPI document',
      functionName: 'get-openapi',
      event: () => eventOf({}),
    },
  } satisfies Record<string, Operation>
}
