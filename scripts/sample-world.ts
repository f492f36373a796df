import { parseAddress } from '../lib/domain/nft/address.ts'
import { settingLines } from '../local/help.ts'
import { runningStack } from '../local/running-stack.ts'
import { networkOf } from '../local/samples/sample-world.ts'
import { type SampleCollection, type SamplePlayer, samples } from '../local/samples/samples.ts'
import { localSettingTable } from '../local/settings.ts'

const players = Object.values<SamplePlayer>(samples.players)
const collections = Object.values<SampleCollection>(samples.collections)

/** The players, for the help of a command. */
export const playerNames = players.map(({ userId, username }) => `${userId} ${username}`).join(', ')

/** The lines of a command's help about its environment variables. */
export const variableLines: readonly string[] = [
  'Environment variables, with their defaults:',
  '',
  ...settingLines({ DATA_DIR: localSettingTable.DATA_DIR }),
]

/** The name of a sample collection without the name of the game, as `npm start` prints it. */
export const shortName = ({ name }: SampleCollection): string => name.replace('Brindlewake ', '')

/** A sample player or the owner of a wallet. */
export interface Owner {
  /** The player, or `undefined` for a wallet. */
  username: string | undefined
  /** One wallet at least. */
  wallets: readonly [string, ...string[]]
}

/** Finds a sample player by user id or user name, or a wallet by its address. Throws an Error that names the option. */
export function ownerOf(text: string, option: string): Owner {
  const player = players.find(({ userId, username }) => text === username || text === `${userId}`)
  const [wallet, ...others] = player?.wallets ?? []
  if (player && wallet) return { username: player.username, wallets: [wallet, ...others] }
  const { address, fault } = parseAddress(text)
  if (address) return { username: undefined, wallets: [address] }
  if (fault === 'bad_checksum') {
    throw new Error(
      `${option} ${text} has a wrong checksum: correct it, or write it in lower case.`,
    )
  }
  const names = players.map(({ userId, username }) => `${userId} (${username})`).join(', ')
  throw new Error(`${option} must be the address of a wallet, or one of ${names}.`)
}

/** Names a wallet, and its player if it is the wallet of one. */
export const walletText = ({ username }: Owner, wallet: string): string =>
  username === undefined ? `the wallet ${wallet}` : `${username} (wallet ${wallet})`

/** Finds a sample collection by name or address. Throws an Error that has the names. */
export function collectionNamed(contract: string): SampleCollection {
  const text = contract.toLowerCase()
  const found = collections.find(
    (each) => each.address === text || shortName(each).toLowerCase() === text,
  )
  if (found) return found
  throw new Error(`--contract must be one of ${collections.map(shortName).join(', ')}.`)
}

/**
 * Changes the sample world of the running local stack by a method that only the sample indexer has, and returns its
 * result. Throws an Error: without such a stack, or with `failure` and the reason if the world rejects the change.
 */
export async function changeWorld<Result>(
  { collection, failure }: { collection: SampleCollection; failure: string },
  method: 'sample_mint' | 'sample_move',
  change: Record<string, unknown>,
): Promise<Result> {
  const url = `${await sampleIndexer(process.env)}/${networkOf(collection)}/v2/any-key`
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

/** Returns the base URL of the indexer of the running local stack. */
async function sampleIndexer(env: NodeJS.ProcessEnv): Promise<string> {
  const dataDir = env['DATA_DIR'] || '.local'
  const stack = await runningStack(dataDir)
  if (!stack) {
    throw new Error(
      `No local stack runs on ${dataDir}: start one with npm start, or set DATA_DIR to its folder.`,
    )
  }
  if (stack.sampleIndexerUrl !== undefined) return stack.sampleIndexerUrl
  throw new Error(
    `${stack.url} does not have the sample world: start it without INDEXER_URL and ALCHEMY_API_KEY.`,
  )
}
