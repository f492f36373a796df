import { createHash, type KeyObject } from 'node:crypto'
import type { SignCommandInput, SignCommandOutput } from '@aws-sdk/client-kms'
import { calculateJwkThumbprint } from 'jose'
import type { AwsClient } from '../aws/aws-client.ts'
import { commandOf } from '../aws/aws-command.ts'
import { es256Signature } from './es256-signature.ts'

export const SignCommand = commandOf<SignCommandInput, SignCommandOutput>('Sign')

/** Signs JWTs (RFC 7519) with ES256 and one KMS key, with one call to KMS for each JWT. */
export interface JwtSigner {
  sign(header: { typ: string }, claims: Record<string, unknown>): Promise<string>
}

/** A signer for a KMS key. The `kid` is the thumbprint of the public key (RFC 7638; D32). */
export function kmsJwtSigner(
  client: AwsClient,
  keyArn: string,
  publicKey: () => Promise<KeyObject>,
): JwtSigner {
  return {
    async sign(header, claims) {
      const kid = await calculateJwkThumbprint((await publicKey()).export({ format: 'jwk' }))
      const signingInput = [{ ...header, alg: 'ES256', kid }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: keyArn,
          ...messageOf(Buffer.from(signingInput)),
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      )
      const signature = es256Signature(Signature ?? new Uint8Array())
      return `${signingInput}.${signature.toString('base64url')}`
    },
  }
}

/** The longest message that KMS accepts, in bytes. It accepts digests of messages of any size. */
const maxMessageBytes = 4_096

/** A message that fits is sent itself, because some emulators of KMS do not sign digests correctly. */
const messageOf = (message: Buffer): Pick<SignCommandInput, 'Message' | 'MessageType'> =>
  message.length <= maxMessageBytes
    ? { MessageType: 'RAW', Message: message }
    : { MessageType: 'DIGEST', Message: createHash('sha256').update(message).digest() }
