import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { importSPKI, jwtVerify } from 'jose'

const client = new KMSClient({})
const {
  ISSUER: issuer = '',
  PLAYER_TOKEN_AUDIENCE: audience = '',
  PLAYER_TOKEN_KEY_ARNS: KeyId = '',
} = process.env

/** The public key of the KMS key, read once. */
let publicKey: ReturnType<typeof readPublicKey> | undefined

async function readPublicKey() {
  const { PublicKey = new Uint8Array() } = await client.send(new GetPublicKeyCommand({ KeyId }))
  const base64 = Buffer.from(PublicKey).toString('base64')
  return await importSPKI(
    `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`,
    'ES256',
  )
}

/** The user id of a valid player token. */
export async function verifyPlayerToken(token: string): Promise<string> {
  publicKey ??= readPublicKey()
  const { payload } = await jwtVerify(token, await publicKey, { issuer, audience })
  return payload.sub ?? ''
}
