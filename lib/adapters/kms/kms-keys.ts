import type { KeyObject } from 'node:crypto'
import type * as sdk from '@aws-sdk/client-kms'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import type { AwsService } from '../aws/aws-attempts.ts'
import type { AwsClient } from '../aws/aws-client.ts'
import { commandOf } from '../aws/aws-command.ts'
import { publicKeyFromDer, type VerificationKeys } from '../verification-keys.ts'

export const kms: AwsService = {
  name: 'KMS',
  signingName: 'kms',
  counted: 'kms',
  target: 'TrentService',
  version: '1.1',
  bytes: ['PublicKey', 'Signature'],
}

export const GetPublicKeyCommand = commandOf<sdk.GetPublicKeyCommand>('GetPublicKey')

/**
 * The public keys of KMS keys. The first key is the one that signs now. A public key never changes, so
 * each is read once in each container. A failed read is not cached: the next use of the key reads again.
 */
export function kmsPublicKeys(
  client: AwsClient,
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

async function publicKeyOf(client: AwsClient, keyArn: string): Promise<KeyObject> {
  const command = new GetPublicKeyCommand({ KeyId: keyArn })
  const { PublicKey = new Uint8Array() } = await client.send(command)
  return publicKeyFromDer(Buffer.from(PublicKey))
}
