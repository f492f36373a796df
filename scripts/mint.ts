import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { samples } from '@player-nfts/local/samples'
import { runForOperator, stackHelp } from './operator-table.ts'
import {
  changeWorld,
  collectionNamed,
  ownerOf,
  playerNames,
  sampleStack,
  shortName,
  walletText,
} from './sample-world.ts'

const usage = 'Usage: npm run --silent mint -- --to PLAYER [--contract CONTRACT] [--token-id N]'

helpIfAsked([
  usage,
  '',
  'Mints an NFT of the sample world to a player. The answers with the NFTs of this player have it within seconds,',
  'if the allowlist of the game has it. Minted NFTs exist until the local stack ends.',
  '',
  '  --to        a sample player, by user id or user name, or the address of any wallet:',
  `              ${playerNames}`,
  '  --contract  a sample contract, by name or address: Lanterns (the default), Keepers, Gear, Vessels;',
  '              any other address is a contract of your own on Polygon, which begins with this NFT',
  '  --token-id  the token identifier, decimal or hexadecimal; the next free number by default',
  '',
  ...stackHelp,
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
  const owner = ownerOf(values.to, '--to')
  const { receiving: wallet } = owner
  const collection = collectionNamed(values.contract)
  const { tokenId } = await changeWorld<{ tokenId: string }>(
    { collection, failure: 'The NFT was not minted' },
    'sample_mint',
    { to: wallet, tokenId: values['token-id'], newContract: collection.name },
  )
  const { address, chain, name, tokenIds } = collection
  const line = `${name} ${tokenId} (contract ${address} on ${chain}) was minted to ${walletText(owner, wallet)}.`
  if (tokenIds.includes('*') || tokenIds.includes(tokenId)) return line
  const { url } = await sampleStack(process.env)
  return `${line}\nA game sees it after you have added it to its allowlist: ${url}/nfts?add=1`
}

await runForOperator(main)
