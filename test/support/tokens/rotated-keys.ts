import { createPublicKey, type KeyObject } from 'node:crypto'
import {
  CreateKeyCommand,
  GetPublicKeyCommand,
  type KMSClient,
  SignCommand,
  type SignCommandInput,
} from '@aws-sdk/client-kms'
import type { AwsClient } from '../../../lib/adapters/aws/aws-client.ts'
import { kmsJwtSigner } from '../../../lib/adapters/kms/jwt-signer.ts'
import { newKeyPair, signJwt, thumbprint } from './jwts.ts'

/** A signing key of tokens. `setting`: its value in the settings of functions, the ARN of a KMS key or the public key itself. */
export type SigningKey = ReturnType<typeof keyElsewhere>

/** Creates a key in KMS. */
export async function kmsKey(kms: KMSClient) {
  const spec = { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' } as const
  const { KeyMetadata: { Arn: keyArn = '' } = {} } = await kms.send(new CreateKeyCommand(spec))
  return await kmsKeyAt(kms, keyArn)
}

/** A key that is in KMS. */
export async function kmsKeyAt(kms: KMSClient, keyArn: string): Promise<SigningKey> {
  const command = new GetPublicKeyCommand({ KeyId: keyArn })
  const { PublicKey = new Uint8Array() } = await kms.send(command)
  const publicKey = createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' })
  const signer = kmsJwtSigner(signingClient(kms), keyArn, async () => publicKey)
  return { setting: keyArn, publicKey, sign: (typ, claims) => signer.sign({ typ }, claims) }
}

/** Creates a key of an external login. */
export function keyElsewhere() {
  const { privateKey, publicKey } = newKeyPair()
  const header = { alg: 'ES256', kid: thumbprint(publicKey) }
  return {
    setting: spki(publicKey),
    publicKey,
    sign: async (typ: string, claims: Record<string, unknown>) =>
      signJwt(privateKey, claims, { ...header, typ }),
  }
}

/** A public key as base64 of its DER SubjectPublicKeyInfo (D32). */
export const spki = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).toString('base64')

/** The public keys of these settings of keys, which are separated by commas, in their order (D74). */
export const publicKeysOf = (keys: readonly SigningKey[], settings: string): string =>
  settings
    .split(',')
    .flatMap((each) => keys.filter(({ setting }) => setting === each))
    .map(({ publicKey }) => spki(publicKey))
    .join()

/** A client of the SDK, as a signer of JWTs uses one. */
const signingClient = (kms: KMSClient): AwsClient => ({
  async send(command) {
    const output: object = await kms.send(new SignCommand(command.input as SignCommandInput))
    return output as Awaited<ReturnType<typeof command.outputOf>>
  },
})
