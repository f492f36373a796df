import { npmCommand } from '../npm-command.ts'
import { sampleSmartAccounts } from './sample-smart-accounts.ts'
import { foundersGear, type SampleCollection, type SamplePlayer, samples } from './samples.ts'

/**
 * Returns the lines about the sample world: its contracts with the token identifiers that the sample product
 * allowlists, and its players with the command that signs a user JWT for each. README.md shows them.
 */
export function sampleTable(dataDir: string): string[] {
  const { collections, players } = samples
  const accounts = Object.values(sampleSmartAccounts).map(({ name, chain }) => `${name} (${chain})`)
  return [
    'The sample game allowlists these NFTs:',
    '',
    ...aligned(Object.values<SampleCollection>(collections).map(contractRow)),
    '',
    'Its players, with the command that prints a user JWT for each:',
    '',
    ...aligned(Object.values<SamplePlayer>(players).map((player) => playerRow(player, dataDir))),
    '',
    `Smart accounts, which sign in on /connect only: ${accounts.join(', ')}`,
  ]
}

const contractRow = ({ chain, address, kind, name, tokenIds }: SampleCollection) => [
  chain,
  address,
  kind,
  name.replace('Brindlewake ', ''),
  idsOf(tokenIds),
]

/** Returns consecutive numbers as a range, and the long identifier after them. */
function idsOf(tokenIds: readonly string[]): string {
  if (tokenIds.includes('*')) return '* (also NFTs that are minted later)'
  const numbers = tokenIds.filter((tokenId) => tokenId !== foundersGear)
  const range = `${numbers.at(0)} to ${numbers.at(-1)}`
  return numbers.length < tokenIds.length ? `${range}, ${foundersGear}` : range
}

const playerRow = ({ userId, username, wallets }: SamplePlayer, dataDir: string) => [
  String(userId),
  username,
  wallets.length === 1 ? '1 wallet' : `${wallets.length} wallets`,
  npmCommand(dataDir, `user-token -- --player ${username}`),
]

/** Returns rows as lines whose columns begin at the same places. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
