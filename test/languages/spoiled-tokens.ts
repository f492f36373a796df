import { createHmac, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { inject } from 'vitest'

/** A key pair of the test, which signs tokens that are like player tokens. */
export interface Signer {
  jwk: JWK
  /** Signs the claims of a player token, with these changes; `undefined` removes a claim. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
}

/** Makes a key pair for an algorithm. */
export async function newSigner(alg = 'ES256'): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: randomUUID(), use: 'sig', alg }
  const sign: Signer['sign'] = async (changes, header) => {
    const claims = { ...playerClaims(), ...changes }
    const given = { alg, typ: 'player+jwt', kid: jwk.kid, ...header }
    return await new SignJWT(JSON.parse(JSON.stringify(claims)))
      .setProtectedHeader(JSON.parse(JSON.stringify(given)))
      .sign(privateKey)
  }
  return { jwk, sign }
}

const now = () => Math.floor(Date.now() / 1_000)

const playerClaims = () => ({
  iss: inject('target').userJwtKey.issuer,
  aud: 'player-nfts-local-games',
  sub: String(Number.MAX_SAFE_INTEGER),
  iat: now(),
  exp: now() + 3_600,
})

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Tokens that differ from a player token in one thing. */
export const spoiledTokens: [string, (signer: Signer) => Promise<string>][] = [
  ['another typ', ({ sign }) => sign({}, { typ: 'JWT' })],
  ['no typ', ({ sign }) => sign({}, { typ: undefined })],
  ['another iss', ({ sign }) => sign({ iss: 'https://elsewhere.example' })],
  ['no iss', ({ sign }) => sign({ iss: undefined })],
  ['another aud', ({ sign }) => sign({ aud: inject('target').userJwtKey.audience })],
  ['no aud', ({ sign }) => sign({ aud: undefined })],
  ['an exp that is past', ({ sign }) => sign({ exp: now() - 60 })],
  ['no exp', ({ sign }) => sign({ exp: undefined })],
  ['no sub', ({ sign }) => sign({ sub: undefined })],
  ['another client_id', ({ sign }) => sign({ client_id: randomUUID() })],
  ['a client_id that is no text', ({ sign }) => sign({ client_id: 1 })],
  ['an unknown key', async () => (await newSigner()).sign({})],
  ['the key of another', async ({ jwk }) => (await newSigner()).sign({}, { kid: jwk.kid })],
  ['another algorithm', async ({ jwk }) => (await newSigner('ES384')).sign({}, { kid: jwk.kid })],
  [
    'other claims than were signed',
    async ({ sign }) => {
      const [header, , signature] = (await sign({})).split('.')
      return [header, encoded({ ...playerClaims(), sub: '1' }), signature].join('.')
    },
  ],
  [
    'the algorithm none',
    async ({ jwk: { kid } }) => {
      const header = { alg: 'none', typ: 'player+jwt', kid }
      return `${encoded(header)}.${encoded(playerClaims())}.`
    },
  ],
  [
    'an HMAC with the public key as its secret',
    async ({ jwk }) => {
      const header = { alg: 'HS256', typ: 'player+jwt', kid: jwk.kid }
      const input = `${encoded(header)}.${encoded(playerClaims())}`
      const hmac = createHmac('sha256', JSON.stringify(jwk)).update(input)
      return `${input}.${hmac.digest('base64url')}`
    },
  ],
]
