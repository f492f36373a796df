import { createHash, type KeyObject } from 'node:crypto'
import type * as sdk from '@aws-sdk/client-kms'
import { calculateJwkThumbprint } from 'jose'
import type { AwsClient } from '../aws/aws-client.ts'
import { commandOf } from '../aws/aws-command.ts'

export const SignCommand = commandOf<sdk.SignCommand>('Sign')

/**
 * Signs JWTs (RFC 7519) with ES256 and one KMS key, with one call to KMS for each JWT. The `kid` is the thumbprint of
 * the public key (RFC 7638; D32).
 */
export function kmsJwtSigner(
  client: AwsClient,
  keyArn: string,
  publicKey: () => Promise<KeyObject>,
) {
  return {
    async sign(header: { typ: string }, claims: Record<string, unknown>): Promise<string> {
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
const messageOf = (message: Buffer): Pick<sdk.SignCommandInput, 'Message' | 'MessageType'> =>
  message.length <= maxMessageBytes
    ? { MessageType: 'RAW', Message: message }
    : { MessageType: 'DIGEST', Message: createHash('sha256').update(message).digest() }

const numberBytes = 32

/**
 * Converts the DER signature of KMS (RFC 3279 section 2.2.3) to the 64 bytes of JWS (RFC 7518 section
 * 3.4): both integers unsigned and padded to 32 bytes. Throws an Error for everything that is not exactly
 * the DER of a sequence of two positive integers (X.690 sections 8 and 10; D53).
 */
export function es256Signature(der: Uint8Array): Buffer {
  // In a P-256 signature every length is one byte.
  if (der[0] !== 0x30 || der[1] !== der.length - 2) throw notDer()
  const r = derInteger(der, 2)
  const s = derInteger(der, r.end)
  if (s.end !== der.length) throw notDer()
  return Buffer.concat([fixedWidth(r.bytes), fixedWidth(s.bytes)])
}

const notDer = () => new Error('not a DER signature')

function derInteger(der: Uint8Array, start: number): { bytes: Uint8Array; end: number } {
  const length = der[start + 1] ?? 0
  const end = start + 2 + length
  if (der[start] !== 0x02 || length === 0 || end > der.length) throw notDer()
  const bytes = der.subarray(start + 2, end)
  const [first = 0, second = 0] = bytes
  const isNegative = first >= 0x80
  // A leading zero byte is there only before a high bit. This also excludes a long form of the number 0.
  const isMinimal = first !== 0 || (length > 1 && second >= 0x80)
  if (isNegative || !isMinimal) throw notDer()
  return { bytes: first === 0 ? bytes.subarray(1) : bytes, end }
}

/** DER drops leading zero bytes. JWS has a fixed width. */
function fixedWidth(bytes: Uint8Array): Buffer {
  if (bytes.length > numberBytes) throw notDer()
  const padded = Buffer.alloc(numberBytes)
  padded.set(bytes, numberBytes - bytes.length)
  return padded
}
