import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { clientOptions } from '../../../lib/adapters/aws-client.ts'
import { whenPermitted } from '../when-permitted.ts'

/**
 * The public keys of KMS keys, in their order, as the functions take them: separated by commas, each as the base64 of
 * its DER SubjectPublicKeyInfo (D74). Empty if KMS does not answer one of them, for example because the key is
 * disabled: the functions then read the keys themselves, and no deployment fails for a key that they may not need.
 */
export async function publicKeysOf(keyArns: readonly string[]): Promise<string> {
  const client = new KMSClient(clientOptions())
  try {
    const keys = await Promise.all(keyArns.map((KeyId) => whenPermitted(() => read(client, KeyId))))
    return keys.join(',')
  } catch (error) {
    const { name, message } = error as Error
    console.warn(`The functions read the public keys from KMS, because of ${name}: ${message}`)
    return ''
  }
}

async function read(client: KMSClient, KeyId: string): Promise<string> {
  const { PublicKey = new Uint8Array() } = await client.send(new GetPublicKeyCommand({ KeyId }))
  return Buffer.from(PublicKey).toString('base64')
}
