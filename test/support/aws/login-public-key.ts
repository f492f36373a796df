import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import type { TestAws } from './test-aws.ts'

/** The public half of the key that the samples' login signs with, as the key of an external login. */
export async function loginPublicKey({ access, resources }: TestAws): Promise<string> {
  const kms = new KMSClient(access)
  const command = new GetPublicKeyCommand({ KeyId: resources.userJwtKeyArn })
  const { PublicKey = new Uint8Array() } = await kms.send(command)
  kms.destroy()
  return Buffer.from(PublicKey).toString('base64')
}
