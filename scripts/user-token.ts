import { parseArgs } from 'node:util'
import { parseAddress } from '../lib/domain/address.ts'
import { codePointLength } from '../lib/domain/text.ts'
import { accessElsewhere } from '../local/aws/aws-access.ts'
import { type RunningStack, runningStack } from '../local/running-stack.ts'
import { mintUserJwt, type UserJwtKey } from '../local/user-jwt.ts'

const usage =
  'Usage: npm run --silent user-token -- --user-id 42 --username neo' +
  ' --wallet 0x… [--wallet 0x…]… [--expires-in SECONDS]'

/** `npm run user-token`: returns a user JWT that KMS has signed, as the platform's login would create it (D22). */
async function main(): Promise<string> {
  const { values } = parseArgs({
    args: withNegativeNumber(process.argv.slice(2)),
    options: {
      'user-id': { type: 'string' },
      username: { type: 'string' },
      wallet: { type: 'string', multiple: true, default: [] },
      'expires-in': { type: 'string', default: '3600' },
    },
  })
  const { 'user-id': userId, username, wallet: wallets, 'expires-in': expiresIn } = values
  if (userId === undefined || username === undefined) throw new Error(usage)
  if (!/^\d{1,16}$/.test(userId) || !Number.isSafeInteger(+userId)) {
    throw new Error('--user-id must be a whole number from 0 to 2^53-1.')
  }
  if (!/^-?\d{1,10}$/.test(expiresIn)) throw new Error('--expires-in must be a number of seconds.')
  if (codePointLength(username) < 1 || codePointLength(username) > 100) {
    throw new Error('--username must be 1 to 100 characters long.')
  }
  if (wallets.length > 20) throw new Error('There may be at most 20 wallets.')
  const bad = wallets.find((wallet) => parseAddress(wallet).fault)
  if (bad !== undefined) throw new Error(`--wallet ${bad} is not an address.`)
  const user = { userId: Number(userId), username, wallets }
  return await mintUserJwt(await signingKey(process.env), user, Number(expiresIn))
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
    return { ...aws, keyId, issuer, audience }
  }
  const dataDir = env['DATA_DIR'] || '.local'
  const stack = await runningStack(dataDir)
  if (stack) return await keyOf(stack)
  throw new Error(
    `No local stack runs on ${dataDir}: start one with npm start, or set USER_JWT_KEY to a KMS key.`,
  )
}

/** Returns the key of a running stack. If its AWS is elsewhere, the credentials are those of this shell. */
async function keyOf({ userJwtKey }: RunningStack): Promise<UserJwtKey> {
  const { credentials, endpoint = 'aws', region } = userJwtKey
  if (credentials) return { ...userJwtKey, credentials }
  return { ...userJwtKey, ...(await accessElsewhere(endpoint, region)) }
}

try {
  console.log(await main())
} catch (error) {
  const { message, name } = error as Error
  console.error(message.split('\n')[0] || name)
  process.exitCode = 1
}
