import * as v from 'valibot'
import type { Chain } from '../domain/chain.ts'
import {
  allowlistChain,
  delaySeconds,
  httpUrl,
  isPublicKeyFor,
  serviceToken,
  userJwtAlgorithm,
} from './forms.ts'

/**
 * The settings of a deployment, from environment variables: this file alone reads them. Each function
 * is given only the variables it needs, so each part is read, once, when it is first asked for. A
 * missing or bad variable is an Error that names it.
 */
function part<Schema extends v.GenericSchema>(schema: Schema): () => v.InferOutput<Schema> {
  let settings: v.InferOutput<Schema> | undefined
  return () => {
    settings ??= read(schema)
    return settings
  }
}

function read<Schema extends v.GenericSchema>(schema: Schema): v.InferOutput<Schema> {
  // An unset variable and an empty one are the same: shells and templates make no difference.
  const set = Object.entries(process.env).filter(([, value]) => value !== '')
  const result = v.safeParse(schema, Object.fromEntries(set))
  if (result.success) return result.output
  const faults = result.issues.map((issue) => {
    const name = issue.path?.map(({ key }) => String(key)).join('.') ?? 'environment'
    return `${name} ${issue.input === undefined ? 'is missing' : issue.message}`
  })
  throw new Error(`Bad settings: ${[...new Set(faults)].join('; ')}`)
}

const text = v.string()
const list = v.pipe(
  text,
  v.transform((names) => names.split(',').map((name) => name.trim())),
)

/** Where AWS is and as whom to call it: what Lambda sets by itself, and an endpoint in its stead. */
export const awsSettings = part(
  v.pipe(
    v.object({
      AWS_REGION: text,
      AWS_ACCESS_KEY_ID: text,
      AWS_SECRET_ACCESS_KEY: text,
      AWS_SESSION_TOKEN: v.optional(text),
      AWS_ENDPOINT_URL: v.optional(httpUrl),
    }),
    v.transform((env) => ({
      region: env.AWS_REGION,
      endpoint: env.AWS_ENDPOINT_URL,
      credentials: {
        accessKeyId: env.AWS_ACCESS_KEY_ID,
        secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
        ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
      },
    })),
  ),
)

/** The one table. */
export const tableSettings = part(
  v.pipe(
    v.object({ TABLE_NAME: text }),
    v.transform((env) => ({ tableName: env.TABLE_NAME })),
  ),
)

/** The background work queue. `sweepDelaySeconds` is longer than any function runs (D19). */
export const queueSettings = part(
  v.pipe(
    v.object({
      QUEUE_URL: httpUrl,
      SWEEP_DELAY_SECONDS: v.optional(v.pipe(text, v.transform(Number), delaySeconds), '60'),
    }),
    v.transform((env) => ({
      queueUrl: env.QUEUE_URL,
      sweepDelaySeconds: env.SWEEP_DELAY_SECONDS,
    })),
  ),
)

/** Who issues tokens, and for whom: the two audiences must differ (D21, D23). */
export const tokenSettings = part(
  v.pipe(
    v.object({ ISSUER: text, USER_JWT_AUDIENCE: text, PLAYER_TOKEN_AUDIENCE: text }),
    v.check(
      (env) => env.USER_JWT_AUDIENCE !== env.PLAYER_TOKEN_AUDIENCE,
      'USER_JWT_AUDIENCE and PLAYER_TOKEN_AUDIENCE must differ',
    ),
    v.transform((env) => ({
      issuer: env.ISSUER,
      userJwtAudience: env.USER_JWT_AUDIENCE,
      playerTokenAudience: env.PLAYER_TOKEN_AUDIENCE,
    })),
  ),
)

/** The KMS keys of player tokens, as ARNs: all are accepted, the first one signs (D23). */
export const playerTokenKeySettings = part(
  v.pipe(
    v.object({ PLAYER_TOKEN_KEY_ARNS: list }),
    v.transform((env) => ({ keyArns: env.PLAYER_TOKEN_KEY_ARNS as [string, ...string[]] })),
  ),
)

/**
 * The keys of user JWTs: KMS keys as ARNs, or the public keys (base64 of DER SubjectPublicKeyInfo) of
 * a login that lives elsewhere. All are accepted, the first one is published (D22, D32).
 */
export const userJwtKeySettings = part(
  v.pipe(
    v.object({
      USER_JWT_KEY_ARNS: v.optional(list),
      USER_JWT_PUBLIC_KEYS: v.optional(list),
      USER_JWT_ALGORITHM: v.optional(userJwtAlgorithm, 'ES256'),
    }),
    v.check(
      (env) => (env.USER_JWT_KEY_ARNS === undefined) !== (env.USER_JWT_PUBLIC_KEYS === undefined),
      'exactly one of USER_JWT_KEY_ARNS and USER_JWT_PUBLIC_KEYS must be set',
    ),
    v.check(
      ({ USER_JWT_PUBLIC_KEYS: keys = [], USER_JWT_ALGORITHM: algorithm }) =>
        keys.every((key) => isPublicKeyFor(algorithm, key)),
      'USER_JWT_PUBLIC_KEYS must be keys for USER_JWT_ALGORITHM',
    ),
    v.transform((env) => ({
      keyArns: env.USER_JWT_KEY_ARNS,
      publicKeys: env.USER_JWT_PUBLIC_KEYS,
      algorithm: env.USER_JWT_ALGORITHM,
    })),
  ),
)

/** The indexer: the secret that holds its key, and another host for it (`INDEXER_URL`). */
export const indexerSettings = part(
  v.pipe(
    v.object({ INDEXER_SECRET_ARN: text, INDEXER_URL: v.optional(httpUrl) }),
    v.transform((env) => ({
      secretArn: env.INDEXER_SECRET_ARN,
      baseUrl: env.INDEXER_URL?.replace(/\/+$/, ''),
    })),
  ),
)

/** The gateways through which `ipfs:` and `ar:` images are linked (D28). */
export const gatewaySettings = part(
  v.pipe(
    v.object({
      IPFS_GATEWAY: v.optional(httpUrl, 'https://ipfs.io/ipfs/'),
      ARWEAVE_GATEWAY: v.optional(httpUrl, 'https://arweave.net/'),
    }),
    v.transform((env) => ({
      ipfs: withSlash(env.IPFS_GATEWAY),
      arweave: withSlash(env.ARWEAVE_GATEWAY),
    })),
  ),
)

const withSlash = (gateway: string) => gateway.replace(/\/*$/, '/')

/** The chains that are open for allowlisting (D11). */
export const allowlistSettings = part(
  v.pipe(
    v.object({
      ALLOWLIST_CHAINS: v.optional(v.pipe(list, v.array(allowlistChain)), 'POLYGON,BSC'),
    }),
    v.transform((env) => ({ openChains: env.ALLOWLIST_CHAINS as [Chain, ...Chain[]] })),
  ),
)

/** The ERC-20 token whose balance player details show: `<CHAIN>:<address>:<decimals>` (D29). */
export const serviceTokenSettings = part(
  v.pipe(
    v.object({ SERVICE_TOKEN: serviceToken }),
    v.transform(({ SERVICE_TOKEN: [chain, address, decimals] }) => ({
      token: { chain, address },
      decimals: Number(decimals),
    })),
  ),
)
