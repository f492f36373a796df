import { parseArgs } from 'node:util'
import { parseAddress } from '../lib/domain/address.ts'
import { helpIfAsked, settingLines } from '../local/help.ts'
import { runningStack } from '../local/running-stack.ts'
import { networkOf } from '../local/samples/sample-world.ts'
import { type SampleCollection, type SamplePlayer, samples } from '../local/samples/samples.ts'
import { localSettingTable } from '../local/settings.ts'
import { runForOperator } from './operator-table.ts'

const players = Object.values<SamplePlayer>(samples.players)
const collections = Object.values<SampleCollection>(samples.collections)

/** The name of a sample collection without the name of the game, as `npm start` prints it. */
const shortName = ({ name }: SampleCollection) => name.replace('Brindlewake ', '')

const usage = 'Usage: npm run --silent mint -- --to PLAYER [--contract NAME] [--token-id N]'

helpIfAsked([
  usage,
  '',
  'Mints an NFT of the sample world to a player. The next answer with the NFTs of this player has the NFT,',
  'if the allowlist of the game has it. It exists until the local stack ends.',
  '',
  '  --to        a sample player, by user id or user name, or the address of any wallet:',
  `              ${players.map(({ userId, username }) => `${userId} ${username}`).join(', ')}`,
  '  --contract  a sample contract, by name or address; Lanterns by default',
  '  --token-id  the token identifier, decimal or hexadecimal; the next free number by default',
  '',
  'Environment variables, with their defaults:',
  '',
  ...settingLines({ DATA_DIR: localSettingTable.DATA_DIR }),
])

/** `npm run mint`: mints an NFT in the running local stack, and returns a line that says so. */
async function main(): Promise<string> {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      contract: { type: 'string', default: shortName(samples.collections.lanterns) },
      'token-id': { type: 'string' },
    },
  })
  if (values.to === undefined) throw new Error(usage)
  const [owner, wallet] = ownerOf(values.to)
  const collection = collectionOf(values.contract)
  const url = `${await sampleIndexer(process.env)}/${networkOf(collection)}/v2/any-key`
  const { address: contractAddress, chain, name } = collection
  const minting = { contractAddress, to: wallet, tokenId: values['token-id'] }
  const tokenId = await mintAt(url, minting)
  return `${name} ${tokenId} (contract ${contractAddress} on ${chain}) was minted to ${owner}.`
}

/** The person to name in the result, and the wallet that receives the NFT. */
function ownerOf(to: string): readonly [owner: string, wallet: string] {
  const player = players.find(({ userId, username }) => to === username || to === `${userId}`)
  const [wallet] = player?.wallets ?? []
  if (player && wallet) return [`${player.username} (wallet ${wallet})`, wallet]
  const { address, fault } = parseAddress(to)
  if (address) return [`the wallet ${address}`, address]
  if (fault === 'bad_checksum') {
    throw new Error(`--to ${to} has a wrong checksum: correct it, or write it in lower case.`)
  }
  const names = players.map(({ userId, username }) => `${userId} (${username})`).join(', ')
  throw new Error(`--to must be the address of a wallet, or one of ${names}.`)
}

function collectionOf(contract: string): SampleCollection {
  const text = contract.toLowerCase()
  const found = collections.find(
    (each) => each.address === text || shortName(each).toLowerCase() === text,
  )
  if (found) return found
  throw new Error(`--contract must be one of ${collections.map(shortName).join(', ')}.`)
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

/** Mints an NFT by `sample_mint`, which only the sample indexer has, and returns its token identifier. */
async function mintAt(
  url: string,
  minting: { contractAddress: string; to: string; tokenId: string | undefined },
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sample_mint', params: [minting] }),
  }).catch(() => {
    throw new Error(
      `The sample indexer at ${new URL(url).origin} cannot be reached: restart npm start.`,
    )
  })
  const { result, error } = (await response.json()) as {
    result?: { tokenId: string }
    error?: { message: string }
  }
  if (result) return result.tokenId
  throw new Error(`The NFT was not minted: ${error?.message ?? response.status}.`)
}

await runForOperator(main)
