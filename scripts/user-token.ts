import { parseArgs } from 'node:util'
import { accessElsewhere } from '@player-nfts/local/aws/aws-access'
import { helpIfAsked } from '@player-nfts/local/help'
import type { RunningStack } from '@player-nfts/local/running-stack'
import { type SamplePlayer, samples } from '@player-nfts/local/samples'
import { type ClaimNames, mintUserJwt, type UserJwtKey } from '@player-nfts/local/user-jwt'
import { parseAddress } from '../lib/domain/nft/address.ts'
import { codePointLength } from '../lib/domain/text.ts'
import { localStack, runForOperator, stackHelp, userIdArgument } from './operator-table.ts'

const samplePlayers = Object.values<SamplePlayer>(samples.players)

const usage =
  'Usage: npm run --silent user-token -- --user-id 42 --username neo' +
  ' --wallet 0x… [--wallet 0x…]… [--expires-in SECONDS]'

helpIfAsked([
  usage,
  '       npm run --silent user-token -- --player NAME [--expires-in SECONDS]',
  '',
  "Prints a user JWT of the running local stack, as the platform's login would sign it.",
  '',
  '  --user-id     the user id, a whole number',
  '  --username    the name of the user',
  '  --wallet      the address of a wallet; can be repeated',
  '  --player      a sample player in place of these three:',
  `                ${samplePlayers.map(({ username }) => username).join(', ')}`,
  '  --expires-in  the lifetime in seconds, 3600 by default; it can be negative',
  '',
  ...stackHelp,
  '  USER_JWT_KEY  a KMS key that signs in place of the key of the local stack, with ISSUER,',
  '                USER_JWT_AUDIENCE and the usual variables of AWS; for a key of a deployment,',
  '                they are those of the role of the login (loginRoleArn)',
])

/** `npm run user-token`: returns a user JWT that KMS has signed, as the platform's login would create it (D22). */
async function main(): Promise<string> {
  const { values } = parseArgs({
    args: withNegativeNumber(process.argv.slice(2)),
    options: {
      'user-id': { type: 'string' },
      username: { type: 'string' },
      wallet: { type: 'string', multiple: true, default: [] },
      player: { type: 'string' },
      'expires-in': { type: 'string', default: '3600' },
    },
  })
  const { 'expires-in': expiresIn } = values
  const { 'user-id': userId, username, wallet: wallets } = withPlayer(values)
  if (username === undefined) throw new Error(usage)
  if (!/^-?\d{1,10}$/.test(expiresIn)) throw new Error('--expires-in must be a number of seconds.')
  if (codePointLength(username) < 1 || codePointLength(username) > 100) {
    throw new Error('--username must be 1 to 100 characters long.')
  }
  if (wallets.length > 20) throw new Error('There may be at most 20 wallets.')
  const bad = wallets.find((wallet) => parseAddress(wallet).fault)
  if (bad !== undefined) throw new Error(`--wallet ${bad} is not an address.`)
  const user = { userId: userIdArgument(userId, usage), username, wallets }
  const key = await signingKey(process.env)
  try {
    return await mintUserJwt(key, user, Number(expiresIn))
  } catch (error) {
    if ((error as Error).name !== 'AccessDeniedException') throw error
    throw new Error(
      `These credentials may not sign with the key ${key.keyId}: only the role of loginRoleArn can (docs/first-day.md#6-read-the-nfts-of-a-player). Set AWS_PROFILE to a profile of this role.`,
    )
  }
}

interface UserArguments {
  'user-id'?: string | undefined
  username?: string | undefined
  wallet: readonly string[]
  player?: string | undefined
}

/** Returns the arguments, or in their place those of the sample player that they name. */
function withPlayer(args: UserArguments): UserArguments {
  if (args.player === undefined) return args
  const { 'user-id': userId, username, wallet } = args
  if (userId !== undefined || username !== undefined || wallet.length > 0) {
    throw new Error('--player replaces --user-id, --username and --wallet.')
  }
  const player = samplePlayers.find(({ username }) => username === args.player)
  if (player) return { ...player, 'user-id': String(player.userId), wallet: player.wallets }
  const names = samplePlayers.map(({ username }) => username).join(', ')
  throw new Error(`--player must be one of ${names}.`)
}

/** parseArgs accepts a value that begins with a dash only after an equals sign. */
function withNegativeNumber(args: string[]): string[] {
  const at = args.indexOf('--expires-in')
  if (at < 0 || !args[at + 1]?.startsWith('-')) return args
  return args.toSpliced(at, 2, `--expires-in=${args[at + 1]}`)
}

/** Returns the key USER_JWT_KEY, with access from the AWS variables, or the key of the running local stack. */
async function signingKey(env: NodeJS.ProcessEnv): Promise<UserJwtKey> {
  const { USER_JWT_KEY: keyId, ISSUER: issuer, USER_JWT_AUDIENCE: audience } = env
  if (keyId) {
    if (!issuer || !audience)
      throw new Error('Set ISSUER and USER_JWT_AUDIENCE as the service has them.')
    const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1'
    const aws = await accessElsewhere(env['AWS_ENDPOINT_URL'] ?? 'aws', region)
    return { ...aws, keyId, issuer, audience, claims: claimNames(env) }
  }
  return await keyOf(await localStack(env, 'set USER_JWT_KEY to a KMS key'))
}

/** The claims that the service reads (D40). */
const claimNames = (env: NodeJS.ProcessEnv): ClaimNames => ({
  userId: env['USER_ID_CLAIM'] || 'sub',
  username: env['USERNAME_CLAIM'] || 'username',
  wallets: env['WALLETS_CLAIM'] || 'wallets',
})

/** The settings that name a login with keys of its own, which then alone signs user JWTs (D22, D40, D90). */
const loginSettings = ['USER_JWT_JWKS_URL', 'USER_JWT_PUBLIC_KEYS', 'LOGINS']

/** The key of a running stack. Rejects if the stack does not accept it, because another login signs its user JWTs. */
async function keyOf({ userJwtKey, url, variables = {} }: RunningStack): Promise<UserJwtKey> {
  const setting = loginSettings.find((name) => variables[name])
  if (setting) {
    throw new Error(
      `${url} accepts only user JWTs of another login, which ${setting} names: let that login sign the user JWT.`,
    )
  }
  const { credentials, endpoint = 'aws', region } = userJwtKey
  if (credentials) return { ...userJwtKey, credentials }
  return { ...userJwtKey, ...(await accessElsewhere(endpoint, region)) }
}

await runForOperator(main)
