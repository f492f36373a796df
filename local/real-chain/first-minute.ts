import { coveredChains } from '../../lib/domain/nft/chain.ts'
import { npmCommand, quoted } from '../npm-command.ts'
import { hasExternalLogin, type LocalSettings } from '../settings.ts'
import { checkKey, publicNfts } from './key-check.ts'

const checkMilliseconds = 5_000

/** The line that says which indexer is asked with the key of the settings. It has no part of the URL that can be a secret. */
export const indexerLine = ({ indexerUrl }: LocalSettings): string =>
  `Indexer: ${indexerUrl ? new URL(indexerUrl).origin : 'Alchemy'}, with the key in ALCHEMY_API_KEY.`

/**
 * Checks the key of the settings by a call of the NFT API for each open chain, and returns the lines that say what came of it,
 * with the commands for a first read where the key is accepted; `undefined` without a key. Takes 5 s at most, and never rejects.
 */
export async function firstMinute(
  settings: LocalSettings,
  url: string,
): Promise<string | undefined> {
  const { alchemyApiKey: apiKey, indexerUrl, passed } = settings
  if (!apiKey) return undefined
  const open = passed.ALLOWLIST_CHAINS.split(',').map((name) => name.trim())
  const answers = await checkKey({
    apiKey,
    baseUrl: indexerUrl?.replace(/\/+$/, ''),
    chains: coveredChains.filter((chain) => open.includes(chain)),
    milliseconds: checkMilliseconds,
  })
  const isAccepted = answers.some(
    ({ chain, answer }) => chain === publicNfts.chain && answer === 'accepted',
  )
  return [
    'The indexer says to the key in ALCHEMY_API_KEY:',
    '',
    ...answers.map(({ chain, answer }) => `${chain}: ${answer}`),
    ...(isAccepted && !hasExternalLogin(settings) ? firstRead(settings, url) : []),
    '',
  ].join('\n')
}

/** The commands that register a game, allowlist the public collection, and read the NFTs of the public wallet. */
function firstRead({ dataDir }: LocalSettings, url: string): string[] {
  const { contractAddress, contractDescription, chain, wallet } = publicNfts
  const product = { name: 'First read', contactEmail: 'me@example.com', companyName: 'Mine' }
  const contract = { chain, contractAddress, contractDescription, tokens: ['*'] }
  const json = (body: object) =>
    `-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`
  const kept = (name: string, command: string, member: string) =>
    `export ${name}=$(${command} | sed -n 's/.*"${member}":"\\([^"]*\\)".*/\\1/p')`
  const userToken = `user-token -- --user-id 1 --username first --wallet ${wallet}`
  const commands = [
    `BASE=${url}/api/public/v1`,
    kept('API_KEY', `curl -sS "$BASE/product" ${json(product)}`, 'apiKey'),
    `curl -w '\\n' -sS "$BASE/product/tokens" -H "X-Api-Key: $API_KEY" ${json(contract)}`,
    `USER_JWT=$(${npmCommand(dataDir, userToken)})`,
    kept(
      'PLAYER_TOKEN',
      `curl -sS "$BASE/player/token" -H "Authorization: Bearer $USER_JWT"`,
      'token',
    ),
    `curl -w '\\n' -sS "$BASE/player/tokens" -H "X-Api-Key: $API_KEY" -H "X-Player-Token: $PLAYER_TOKEN"`,
  ]
  return [
    '',
    `Allowlist ${contractDescription} on ${chain}, and read those in a public wallet, in a second terminal:`,
    '',
    ...commands,
  ]
}
