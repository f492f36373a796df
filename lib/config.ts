import { createPublicKey } from 'node:crypto'
import * as v from 'valibot'
import { addressFault, toAddress } from './domain/address.ts'
import { type Chain, chainNames, isRetired } from './domain/chain.ts'

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
const url = v.pipe(v.string(), v.url('is not a URL'), v.regex(/^https?:/, 'is not an http(s) URL'))
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
      AWS_ENDPOINT_URL: v.optional(url),
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

/** As far ahead as SQS can deliver, and never before what the message is about has happened. */
const delaySeconds = v.pipe(
  text,
  v.check((delay) => /^\d{1,3}$/.test(delay) && +delay >= 1 && +delay <= 900, 'is not 1 to 900'),
)

/** The background work queue. `sweepDelaySeconds` is longer than any function runs (D19). */
export const queueSettings = part(
  v.pipe(
    v.object({
      QUEUE_URL: url,
      SWEEP_DELAY_SECONDS: v.optional(delaySeconds, '60'),
    }),
    v.transform((env) => ({
      queueUrl: env.QUEUE_URL,
      sweepDelaySeconds: Number(env.SWEEP_DELAY_SECONDS),
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

/** The algorithms a login that lives elsewhere may sign with. */
export const userJwtAlgorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'] as const

/** The kind of key, or its curve, that each algorithm takes (RFC 7518 section 3.1, RFC 8037). */
const keyKinds: Record<(typeof userJwtAlgorithms)[number], string> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  RS256: 'rsa',
  PS256: 'rsa',
  EdDSA: 'ed25519',
}

/** Whether a text is a public key for an algorithm, as base64 of DER SubjectPublicKeyInfo. */
export function isPublicKeyFor(algorithm: keyof typeof keyKinds, base64: string): boolean {
  try {
    const der = Buffer.from(base64, 'base64')
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    const kind = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType
    return kind === keyKinds[algorithm]
  } catch {
    return false
  }
}

/**
 * The keys of user JWTs: KMS keys as ARNs, or the public keys (base64 of DER SubjectPublicKeyInfo) of
 * a login that lives elsewhere. All are accepted, the first one is published (D22, D32).
 */
export const userJwtKeySettings = part(
  v.pipe(
    v.object({
      USER_JWT_KEY_ARNS: v.optional(list),
      USER_JWT_PUBLIC_KEYS: v.optional(list),
      USER_JWT_ALGORITHM: v.optional(
        v.picklist(userJwtAlgorithms, `is not one of ${userJwtAlgorithms.join(', ')}`),
        'ES256',
      ),
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
    v.object({ INDEXER_SECRET_ARN: text, INDEXER_URL: v.optional(url) }),
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
      IPFS_GATEWAY: v.optional(url, 'https://ipfs.io/ipfs/'),
      ARWEAVE_GATEWAY: v.optional(url, 'https://arweave.net/'),
    }),
    v.transform((env) => ({
      ipfs: withSlash(env.IPFS_GATEWAY),
      arweave: withSlash(env.ARWEAVE_GATEWAY),
    })),
  ),
)

const withSlash = (gateway: string) => gateway.replace(/\/*$/, '/')

const allowlistChain = v.picklist(chainNames, `is not a list of ${chainNames.join(', ')}`)

/** The chains that are open for allowlisting (D11). */
export const allowlistSettings = part(
  v.pipe(
    v.object({
      ALLOWLIST_CHAINS: v.optional(v.pipe(list, v.array(allowlistChain)), 'POLYGON,BSC'),
    }),
    v.transform((env) => ({ openChains: env.ALLOWLIST_CHAINS as [Chain, ...Chain[]] })),
  ),
)

const serviceTokenForm =
  'is not <CHAIN>:<address>:<decimals>, with a chain that is not shut down and 0 to 77 decimals'

/** The ERC-20 token whose balance player details show: `<CHAIN>:<address>:<decimals>` (D29). */
export const serviceTokenSettings = part(
  v.pipe(
    v.object({
      SERVICE_TOKEN: v.pipe(
        text,
        v.transform((setting) => setting.split(':')),
        v.strictTuple(
          [
            v.pipe(
              v.picklist(chainNames, serviceTokenForm),
              v.check((chain) => !isRetired(chain), serviceTokenForm),
            ),
            v.pipe(
              v.string(serviceTokenForm),
              v.check((address) => addressFault(address) === undefined, serviceTokenForm),
            ),
            v.pipe(
              v.string(serviceTokenForm),
              v.regex(/^([0-9]|[1-6][0-9]|7[0-7])$/, serviceTokenForm),
            ),
          ],
          serviceTokenForm,
        ),
      ),
    }),
    v.transform(({ SERVICE_TOKEN: [chain, address, decimals] }) => ({
      token: { chain, address: toAddress(address) },
      decimals: Number(decimals),
    })),
  ),
)
