import { type SampleCollection, type SamplePlayer, samples } from '@player-nfts/local/samples'
import { networkOf } from '@player-nfts/local/samples/sample-world'
import { parseAddress } from '../lib/domain/nft/address.ts'
import { localStack } from './operator-table.ts'

const players = Object.values<SamplePlayer>(samples.players)
const collections = Object.values<SampleCollection>(samples.collections)

/** The players, for the help of a command. */
export const playerNames = players.map(({ userId, username }) => `${userId} ${username}`).join(', ')

/** The name of a sample collection without the name of the game, as `npm start` prints it. */
export const shortName = ({ name }: SampleCollection): string => name.replace('Brindlewake ', '')

/** A sample player or the owner of a wallet. */
export interface Owner {
  /** The player, or `undefined` for a wallet. */
  username: string | undefined
  wallets: readonly string[]
  /** The wallet that gets an NFT. */
  receiving: string
}

/** Of its player, the four calls of the README have this wallet alone: an NFT in it is in the answers of every game. */
const [, walletOfFourCalls] = samples.players.threeWallets.wallets

/** Finds a sample player by user id or user name, or a wallet by its address. Throws an Error that names the option. */
export function ownerOf(text: string, option: string): Owner {
  const player = players.find(({ userId, username }) => text === username || text === `${userId}`)
  const { username, wallets = [] } = player ?? {}
  const receiving = wallets.find((wallet) => wallet === walletOfFourCalls) ?? wallets[0]
  if (receiving) return { username, wallets, receiving }
  const { address, fault } = parseAddress(text)
  if (address) return { username: undefined, wallets: [address], receiving: address }
  if (fault === 'bad_checksum') {
    throw new Error(badChecksum(option, text))
  }
  const names = players.map(({ userId, username }) => `${userId} (${username})`).join(', ')
  throw new Error(`${option} must be the address of a wallet, or one of ${names}.`)
}

const badChecksum = (option: string, text: string) =>
  `${option} ${text} has a wrong checksum: correct it, or write it in lower case.`

/** Names a wallet, and its player if it is the wallet of one. */
export const walletText = ({ username }: Owner, wallet: string): string =>
  username === undefined ? `the wallet ${wallet}` : `${username} (wallet ${wallet})`

/**
 * A sample collection by name or address; else a contract of the user's own, on Polygon. Throws an Error with the
 * names.
 */
export function collectionNamed(contract: string): SampleCollection {
  const text = contract.toLowerCase()
  const found = collections.find(
    (each) => each.address === text || shortName(each).toLowerCase() === text,
  )
  if (found) return found
  const { address, fault } = parseAddress(contract)
  if (address) {
    const name = `Contract ${address.slice(0, 6)}…${address.slice(-4)}`
    return { chain: 'POLYGON', address, kind: 'ERC721', name, tokenIds: [] }
  }
  if (fault === 'bad_checksum') throw new Error(badChecksum('--contract', contract))
  const names = collections.map(shortName).join(', ')
  throw new Error(`--contract must be the address of a contract, or one of ${names}.`)
}

/**
 * Changes the sample world of the running stack by a method. Throws an Error: `failure` and the reason if it is
 * rejected.
 */
export async function changeWorld<Result>(
  { collection, failure }: { collection: SampleCollection; failure: string },
  method: 'sample_mint' | 'sample_move',
  change: Record<string, unknown>,
): Promise<Result> {
  const { sampleIndexerUrl } = await sampleStack(process.env)
  const url = `${sampleIndexerUrl}/${networkOf(collection)}/v2/any-key`
  const params = [{ contractAddress: collection.address, ...change }]
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }).catch(() => {
    throw new Error(
      `The sample indexer at ${new URL(url).origin} cannot be reached: restart npm start.`,
    )
  })
  const { result, error } = (await response.json()) as {
    result?: Result
    error?: { message: string }
  }
  if (result) return result
  throw new Error(`${failure}: ${error?.message ?? response.status}.`)
}

/** Returns the base URLs of the running local stack and of its indexer. Throws an Error without the sample world. */
export async function sampleStack(
  env: NodeJS.ProcessEnv,
): Promise<{ url: string; sampleIndexerUrl: string }> {
  const stack = await localStack(env)
  const { url, sampleIndexerUrl } = stack
  if (sampleIndexerUrl !== undefined) return { url, sampleIndexerUrl }
  throw new Error(
    `${stack.url} does not have the sample world: start it without INDEXER_URL and ALCHEMY_API_KEY.`,
  )
}
