import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A key pair for ES256. */
export const newKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWT by RFC 7515, without any library: header and claims are encoded without checks. */
export function signJwt(
  privateKey: KeyObject,
  claims: unknown,
  header: Record<string, unknown> = { alg: 'ES256' },
): string {
  const input = `${part(header)}.${part(claims)}`
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

/** A JWT without a signature: `alg` `none`. */
export const unsignedJwt = (claims: unknown): string => `${part({ alg: 'none' })}.${part(claims)}.`

/** A JWT with HS256 and a public key as its secret, a known attack. */
export function hmacJwt(secret: string | Buffer, claims: unknown): string {
  const input = `${part({ alg: 'HS256' })}.${part(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

/** Header and claims of a JWT, unverified. */
export function decodeJwt(jwt: string) {
  const [header = '', claims = ''] = jwt.split('.')
  const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
  return { header: read(header), claims: read(claims) }
}

/** The thumbprint of a P-256 key, computed as in RFC 7638. */
export function thumbprint(key: KeyObject): string {
  const { crv, kty, x, y } = key.export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}
