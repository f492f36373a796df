import * as v from 'valibot'
import {
  allowlistChain,
  delaySeconds,
  httpUrl,
  isPublicKeyFor,
  serviceToken,
  userJwtAlgorithm,
} from '../lib/settings/forms.ts'
import { samples } from './samples/samples.ts'

/** What `npm start` reads from its environment; everything has a default. */
export interface LocalSettings {
  /** Where the API listens, on 127.0.0.1; 0: any free port. */
  port: number
  /** The folder of everything that is kept between runs. */
  dataDir: string
  /** An Alchemy-compatible indexer instead of the embedded one. */
  indexerUrl?: string
  /** The key for the indexer; without `indexerUrl`: the real Alchemy is used. */
  alchemyApiKey?: string
  /** AWS elsewhere; `aws`: an account itself. */
  awsEndpointUrl?: string
  region: string
  /** Settings that are handed to the functions as they are; lib/settings/environment.ts says what they mean. */
  passed: PassedSettings
}

export type PassedSettings = Record<keyof typeof localDefaults, string> &
  Partial<Record<(typeof passedOn)[number], string>>

/** A setting that cannot be used; its message is one line for the person at the keyboard. */
export class BadSetting extends Error {}

const port = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, 'must be a port number'),
  v.transform(Number),
  v.maxValue(65_535, 'must be a port number'),
)
const commaSeparated = v.pipe(
  v.string(),
  v.transform((list) => list.split(',').map((item) => item.trim())),
)

/** Tokens of the local stack are issued by, and meant for, nobody else. */
const localDefaults = {
  ISSUER: 'player-nfts-local',
  USER_JWT_AUDIENCE: 'player-nfts-local-platform',
  PLAYER_TOKEN_AUDIENCE: 'player-nfts-local-games',
  ALLOWLIST_CHAINS: 'POLYGON,BSC',
  SERVICE_TOKEN: `${samples.serviceToken.chain}:${samples.serviceToken.address}:${samples.serviceToken.decimals}`,
}

/** Further settings of the functions that may be set as in a deployment. */
const passedOn = [
  'USER_JWT_PUBLIC_KEYS',
  'USER_JWT_ALGORITHM',
  'IPFS_GATEWAY',
  'ARWEAVE_GATEWAY',
  'SWEEP_DELAY_SECONDS',
] as const

const settings = v.object({
  PORT: v.optional(port, '3000'),
  DATA_DIR: v.optional(v.string(), '.local'),
  INDEXER_URL: v.optional(httpUrl),
  ALCHEMY_API_KEY: v.optional(v.string()),
  AWS_ENDPOINT_URL: v.optional(
    v.union([v.literal('aws'), httpUrl], 'must be an http(s) URL, or aws'),
  ),
  AWS_REGION: v.optional(v.string()),
  AWS_DEFAULT_REGION: v.optional(v.string()),
  ALLOWLIST_CHAINS: v.optional(v.pipe(commaSeparated, v.array(allowlistChain))),
  SERVICE_TOKEN: v.optional(serviceToken),
  USER_JWT_AUDIENCE: v.optional(v.string(), localDefaults.USER_JWT_AUDIENCE),
  PLAYER_TOKEN_AUDIENCE: v.optional(v.string(), localDefaults.PLAYER_TOKEN_AUDIENCE),
  USER_JWT_PUBLIC_KEYS: v.optional(v.string()),
  USER_JWT_ALGORITHM: v.optional(userJwtAlgorithm, 'ES256'),
  IPFS_GATEWAY: v.optional(httpUrl),
  ARWEAVE_GATEWAY: v.optional(httpUrl),
  SWEEP_DELAY_SECONDS: v.optional(v.pipe(v.string(), v.transform(Number), delaySeconds)),
})

const environment = v.pipe(
  settings,
  v.forward(
    v.partialCheck(
      [['USER_JWT_AUDIENCE'], ['PLAYER_TOKEN_AUDIENCE']],
      (env) => env.USER_JWT_AUDIENCE !== env.PLAYER_TOKEN_AUDIENCE,
      'must differ from USER_JWT_AUDIENCE',
    ),
    ['PLAYER_TOKEN_AUDIENCE'],
  ),
  v.forward(
    v.partialCheck(
      [['USER_JWT_PUBLIC_KEYS'], ['USER_JWT_ALGORITHM']],
      ({ USER_JWT_PUBLIC_KEYS: keys, USER_JWT_ALGORITHM: algorithm }) =>
        !keys || keys.split(',').every((key) => isPublicKeyFor(algorithm, key.trim())),
      'must be public keys for USER_JWT_ALGORITHM, each as the base64 of its DER SubjectPublicKeyInfo, comma separated',
    ),
    ['USER_JWT_PUBLIC_KEYS'],
  ),
)

/** Reads the settings of the local stack; an empty variable is an unset one. Throws BadSetting. */
export function readSettings(variables: Record<string, string | undefined>): LocalSettings {
  const given = Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  const result = v.safeParse(environment, given)
  if (!result.success) {
    const [issue] = result.issues
    throw new BadSetting(`${issue.path?.[0]?.key ?? 'The environment'} ${issue.message}.`)
  }
  const env = result.output
  const named = [...Object.keys(localDefaults), ...passedOn].flatMap((name) =>
    given[name] === undefined ? [] : [[name, given[name]]],
  )
  return {
    port: env.PORT,
    dataDir: env.DATA_DIR,
    ...(env.INDEXER_URL && { indexerUrl: env.INDEXER_URL }),
    ...(env.ALCHEMY_API_KEY && { alchemyApiKey: env.ALCHEMY_API_KEY }),
    ...(env.AWS_ENDPOINT_URL && { awsEndpointUrl: env.AWS_ENDPOINT_URL }),
    region: env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1',
    passed: { ...localDefaults, ...Object.fromEntries(named) },
  }
}
