import type { KeyObject } from 'node:crypto'
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { clientOptions, withServiceFailures } from '../aws-client.ts'
import { type JsonService, jsonProtocol } from '../json-protocol.ts'
import { publicKeyFromDer, type VerificationKeys } from '../verification-keys.ts'

const kms: JsonService = {
  target: 'TrentService',
  version: '1.1',
  bytes: ['PublicKey', 'Signature'],
}

/** A KMS client with the options of every AWS client in the functions. */
export const kmsClient = (): KMSClient =>
  withServiceFailures('KMS', new KMSClient({ ...clientOptions(), protocol: jsonProtocol(kms) }))

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
      for (const keyArn of keyArns) {
        const key = known.get(keyArn)
        if (key) yield { key }
      }
      const failures: unknown[] = []
      for (const reading of unknown.map(read)) {
        const key = await reading.catch((error) => void failures.push(error))
        if (key) yield { key }
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
