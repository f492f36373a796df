import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { serve } from '../services/http-server.ts'
import type { OnEnd } from '../vitest/at-file-end.ts'

/** A key of an identity provider. */
type ProviderKey = Awaited<ReturnType<typeof newProviderKey>>

/** A made-up identity provider, which publishes its keys as a JWK set. */
export interface IdentityProvider {
  /** The issuer of its user JWTs, and the URL of its key set. */
  issuer: string
  jwksUrl: string
  /** The number of requests for the key set so far. */
  requests: () => number
  /** The published keys. The last key signs, also if it is not published. */
  keys: ProviderKey[]
  published?: unknown
  /** Answers requests for the key set instead of the provider. */
  misbehave?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  /** Signs with the last key, or with another key. */
  sign(
    claims: JWTPayload,
    header?: { kid?: string | undefined; key?: ProviderKey },
  ): Promise<string>
}

/** Makes a key. A key without `kid` has `kid: undefined`. */
export async function newProviderKey(alg = 'RS256', names: { [name in keyof JWK]?: unknown } = {}) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), use: 'sig', alg, kid: randomUUID(), ...names }
  return { jwk: JSON.parse(JSON.stringify(jwk)) as JWK, privateKey }
}

/** Starts a provider with one key. It ends with the test, or with `onEnd`. */
export async function startIdentityProvider(
  alg = 'RS256',
  onEnd?: OnEnd,
): Promise<IdentityProvider> {
  let requests = 0
  const url = await serve((request, response) => {
    requests += 1
    if (provider.misbehave) return provider.misbehave(request, response)
    const document = provider.published ?? { keys: provider.keys.map(({ jwk }) => jwk) }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(document))
  }, onEnd)
  const provider: IdentityProvider = {
    issuer: 'https://id.studio.example/',
    jwksUrl: `${url}/.well-known/jwks.json`,
    requests: () => requests,
    keys: [await newProviderKey(alg)],
    async sign(claims, { key = provider.keys.at(-1) as ProviderKey, ...names } = {}) {
      const { kid } = { kid: key.jwk.kid, ...names }
      return await new SignJWT(claims)
        .setProtectedHeader({ alg: key.jwk.alg ?? alg, typ: 'JWT', ...(kid && { kid }) })
        .sign(key.privateKey)
    },
  }
  return provider
}
