import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { samples } from '@player-nfts/local/samples'
import { runForOperator, stackHelp } from './operator-table.ts'
import {
  changeWorld,
  collectionNamed,
  ownerOf,
  playerNames,
  shortName,
  walletText,
} from './sample-world.ts'

const usage =
  'Usage: npm run --silent move-nft -- --from PLAYER --to PLAYER --token-id N [--contract NAME] [--amount N]'

helpIfAsked([
  usage,
  '',
  'Moves an NFT of the sample world from one wallet to another, as a sale would. The answers with the NFTs of the',
  'players show it within seconds, also without a call of the indexer. The move lasts until the local stack ends.',
  '',
  '  --from      a sample player, by user id or user name, or the address of any wallet:',
  `              ${playerNames};`,
  '              of several wallets of a player, the first one that has the NFT',
  '  --to        the same; a player receives the NFT in the first wallet, tessaly_vane in that of the four calls of the README',
  '  --token-id  the token identifier, decimal or hexadecimal',
  '  --contract  a sample contract, by name or address; Keepers by default',
  '  --amount    the amount of an NFT of an ERC-1155 contract; 1 by default',
  '',
  ...stackHelp,
])

/** `npm run move-nft`: moves an NFT in the running local stack, and returns a line that says so. */
async function main(): Promise<string> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      contract: { type: 'string', default: shortName(samples.collections.keepers) },
      'token-id': { type: 'string' },
      amount: { type: 'string', default: '1' },
    },
  })
  const { from, to, 'token-id': tokenId, amount } = values
  if (from === undefined || to === undefined || tokenId === undefined) throw new Error(usage)
  const [sender, recipient] = [ownerOf(from, '--from'), ownerOf(to, '--to')]
  const { receiving: wallet } = recipient
  const collection = collectionNamed(values.contract)
  const moved = await changeWorld<{ from: string; tokenId: string }>(
    { collection, failure: 'The NFT was not moved' },
    'sample_move',
    { from: sender.wallets, to: wallet, tokenId, amount },
  )
  const { address, chain, name } = collection
  const nft = `${name} ${moved.tokenId} (contract ${address} on ${chain})`
  const what = amount === '1' ? nft : `${amount} of ${nft}`
  return `${what} moved from ${walletText(sender, moved.from)} to ${walletText(recipient, wallet)}.`
}

await runForOperator(main)
