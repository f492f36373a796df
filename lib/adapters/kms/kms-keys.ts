import { createPublicKey, type KeyObject } from 'node:crypto'
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { playerTokenKeySettings, userJwtKeySettings } from '../../config.ts'
import { clientOptions, withServiceFailures } from '../aws-client.ts'
import type { VerificationKeys } from '../verification-keys.ts'

/** A client for KMS, with the bounds of every AWS client of the functions. */
export const kmsClient = (): KMSClient => withServiceFailures('KMS', new KMSClient(clientOptions()))

/** The public halves of the keys of player tokens (D23). */
export const playerTokenKeys = (): VerificationKeys =>
  kmsPublicKeys(kmsClient(), playerTokenKeySettings().keyArns)

/** The keys of user JWTs: in KMS, or those of a login that lives elsewhere (D22). */
export function userJwtKeys(): VerificationKeys {
  const { keyArns, publicKeys = [] } = userJwtKeySettings()
  if (keyArns) return kmsPublicKeys(kmsClient(), keyArns)
  const keys = publicKeys.map((base64) => publicKeyFromDer(Buffer.from(base64, 'base64')))
  return async () => keys
}

/**
 * Reads the public half of KMS keys, once for each key and container: it never changes. A failed read
 * is not remembered.
 */
export function kmsPublicKeys(client: KMSClient, keyArns: readonly string[]): VerificationKeys {
  const known = new Map<string, Promise<KeyObject>>()
  return async () => await Promise.all(keyArns.map(remember))

  function remember(keyArn: string): Promise<KeyObject> {
    const reading = known.get(keyArn) ?? read(keyArn)
    known.set(keyArn, reading)
    reading.catch(() => known.delete(keyArn))
    return reading
  }

  async function read(keyArn: string): Promise<KeyObject> {
    const { PublicKey = new Uint8Array() } = await client.send(
      new GetPublicKeyCommand({ KeyId: keyArn }),
    )
    return publicKeyFromDer(Buffer.from(PublicKey))
  }
}

const publicKeyFromDer = (der: Buffer): KeyObject =>
  createPublicKey({ key: der, format: 'der', type: 'spki' })
