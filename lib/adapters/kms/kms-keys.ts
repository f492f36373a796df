import { createPublicKey, type KeyObject } from 'node:crypto'
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { playerTokenKeySettings, userJwtKeySettings } from '../../settings/environment.ts'
import { clientOptions, withServiceFailures } from '../aws-client.ts'
import { givenKeys, type VerificationKeys } from '../verification-keys.ts'

/** A KMS client with the options of every AWS client in the functions. */
export const kmsClient = (): KMSClient => withServiceFailures('KMS', new KMSClient(clientOptions()))

/** The public keys of player tokens (D23). */
export const playerTokenKeys = (): VerificationKeys =>
  kmsPublicKeys(kmsClient(), playerTokenKeySettings().keyArns)

/** The public keys of user JWTs: of KMS keys, or of an external login (D22). */
export function userJwtKeys(): VerificationKeys {
  const { keyArns, publicKeys = [] } = userJwtKeySettings()
  // A list in the settings is never empty.
  if (keyArns) return kmsPublicKeys(kmsClient(), keyArns as [string, ...string[]])
  const keys = publicKeys.map((base64) => publicKeyFromDer(Buffer.from(base64, 'base64')))
  return givenKeys(keys as [KeyObject, ...KeyObject[]])
}

/**
 * The public keys of KMS keys. The first key is the one that signs now. A public key never changes, so
 * each is read once in each container. A failed read is not cached: the next use of the key reads again.
 */
export function kmsPublicKeys(
  client: KMSClient,
  keyArns: readonly [string, ...string[]],
): VerificationKeys {
  const readings = new Map<string, Promise<KeyObject>>()
  const known = new Map<string, KeyObject>()

  return {
    current: () => read(keyArns[0]),
    async *accepted() {
      const unknown = keyArns.filter((keyArn) => !known.has(keyArn))
      yield* keyArns.flatMap((keyArn) => known.get(keyArn) ?? [])
      const failures: unknown[] = []
      for (const reading of unknown.map(read)) {
        const key = await reading.catch((error) => void failures.push(error))
        if (key) yield key
      }
      if (failures.length > 0) throw failures[0]
    },
  }

  function read(keyArn: string): Promise<KeyObject> {
    const reading =
      readings.get(keyArn) ?? downstreamCalls.shared(() => publicKeyOf(client, keyArn))
    readings.set(keyArn, reading)
    // Handles the failure too: after a successful verification nothing waits for this read.
    reading.then(
      (key) => known.set(keyArn, key),
      () => readings.delete(keyArn),
    )
    return reading
  }
}

async function publicKeyOf(client: KMSClient, keyArn: string): Promise<KeyObject> {
  const command = new GetPublicKeyCommand({ KeyId: keyArn })
  const { PublicKey = new Uint8Array() } = await client.send(command)
  return publicKeyFromDer(Buffer.from(PublicKey))
}

const publicKeyFromDer = (der: Buffer): KeyObject =>
  createPublicKey({ key: der, format: 'der', type: 'spki' })
