import { randomUUID } from 'node:crypto'
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { importSPKI, jwtVerify } from 'jose'
import { HttpError } from './http.ts'

const client = new KMSClient({})
const {
  ISSUER: issuer = '',
  USER_JWT_AUDIENCE: userAudience = '',
  PLAYER_TOKEN_AUDIENCE: playerAudience = '',
  USER_JWT_KEY_ARNS: userKey = '',
  PLAYER_TOKEN_KEY_ARNS: playerKey = '',
} = process.env

const known = new Map<string, string>()

/** The public key of a KMS key as base64 of its DER form, read once. */
async function publicKeyOf(KeyId: string): Promise<string> {
  const found = known.get(KeyId)
  if (found) return found
  const { PublicKey = new Uint8Array() } = await client.send(new GetPublicKeyCommand({ KeyId }))
  const base64 = Buffer.from(PublicKey).toString('base64')
  known.set(KeyId, base64)
  return base64
}

export const userPublicKey = () => publicKeyOf(userKey)

async function verify(token: string, keyId: string, audience: string) {
  const pem = `-----BEGIN PUBLIC KEY-----\n${await publicKeyOf(keyId)}\n-----END PUBLIC KEY-----`
  try {
    const key = await importSPKI(pem, 'ES256')
    return (await jwtVerify(token, key, { issuer, audience })).payload
  } catch {
    throw new HttpError(401, 'The token is not valid.')
  }
}

export const verifyUserJwt = (token: string) => verify(token, userKey, userAudience)
export const verifyPlayerToken = (token: string) => verify(token, playerKey, playerAudience)

/** A player token, signed by KMS. */
export async function mintPlayerToken(userId: string): Promise<string> {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: playerAudience, sub: userId, iat, exp: iat + 86_400 }
  const signed = [
    { alg: 'ES256', typ: 'JWT' },
    { ...claims, jti: randomUUID() },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const { Signature = new Uint8Array() } = await client.send(
    new SignCommand({
      KeyId: playerKey,
      Message: Buffer.from(signed),
      MessageType: 'RAW',
      SigningAlgorithm: 'ECDSA_SHA_256',
    }),
  )
  return `${signed}.${fromDer(Buffer.from(Signature)).toString('base64url')}`
}

/** JOSE requires both integers of the signature in 32 bytes each. */
function fromDer(der: Buffer): Buffer {
  const rLength = der[3] as number
  const r = der.subarray(4, 4 + rLength)
  const s = der.subarray(6 + rLength)
  const padded = (number: Buffer) => Buffer.concat([Buffer.alloc(32), number]).subarray(-32)
  return Buffer.concat([padded(r), padded(s)])
}
