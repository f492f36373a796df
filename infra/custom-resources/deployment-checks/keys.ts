import {
  DescribeKeyCommand,
  GetPublicKeyCommand,
  KMSClient,
  paginateListAliases,
} from '@aws-sdk/client-kms'
import { clientOptions } from '../client-options.ts'
import { whenPermitted } from '../when-permitted.ts'

/**
 * The key to which an alias refers, if a stack of an earlier version has created the alias. The ARN is the one
 * in `wanted` if the key is there.
 */
export async function deployedKeys(alias: string, wanted: readonly string[]): Promise<string[]> {
  const target = await whenPermitted(() => targetOf(alias))
  if (target === undefined) return []
  return [wanted.find((arn) => arn.endsWith(`/${target}`)) ?? target]
}

/** The key id behind an alias. KMS has no call that reads one alias and that also succeeds if there is none. */
async function targetOf(alias: string): Promise<string | undefined> {
  const client = new KMSClient(clientOptions())
  for await (const { Aliases = [] } of paginateListAliases({ client }, {})) {
    const found = Aliases.find(({ AliasName }) => AliasName === alias)
    if (found) return found.TargetKeyId
  }
  return undefined
}

/** A sentence for each key that cannot sign tokens with ES256, or that does not exist. */
export async function importedKeyFaults(keyArns: readonly string[]): Promise<string[]> {
  const client = new KMSClient(clientOptions())
  const faults = keyArns.map(async (KeyId) => {
    const fault = await whenPermitted(() => faultOf(client, KeyId))
    return fault === undefined ? [] : [`The key ${KeyId} cannot be used: ${fault}.`]
  })
  return (await Promise.all(faults)).flat()
}

async function faultOf(client: KMSClient, KeyId: string): Promise<string | undefined> {
  try {
    const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId }))
    const { KeySpec, KeyUsage, KeyState } = KeyMetadata ?? {}
    if (KeySpec !== 'ECC_NIST_P256' || KeyUsage !== 'SIGN_VERIFY') {
      return `it is a key of ${KeySpec} to ${KeyUsage}, not of ECC_NIST_P256 to SIGN_VERIFY`
    }
    if (KeyState === 'PendingDeletion') {
      return 'it is pending deletion (aws kms cancel-key-deletion, then aws kms enable-key)'
    }
    return KeyState === 'Enabled' ? undefined : `its state is ${KeyState}, not Enabled`
  } catch (error) {
    const { name, message } = error as Error
    if (name !== 'NotFoundException' && name !== 'InvalidArnException') throw error
    return `KMS says "${message}"`
  }
}

/**
 * The public keys of KMS keys, in their order, as the functions take them: separated by commas, each as the base64 of
 * its DER SubjectPublicKeyInfo (D74). Empty if KMS does not answer one of them, for example because the key is
 * disabled: the functions then read the keys themselves, and no deployment fails for a key that they may not need.
 */
export async function publicKeysOf(keyArns: readonly string[]): Promise<string> {
  const client = new KMSClient(clientOptions())
  try {
    const keys = await Promise.all(
      keyArns.map((KeyId) => whenPermitted(() => readPublicKey(client, KeyId))),
    )
    return keys.join(',')
  } catch (error) {
    const { name, message } = error as Error
    console.warn(`The functions read the public keys from KMS, because of ${name}: ${message}`)
    return ''
  }
}

async function readPublicKey(client: KMSClient, KeyId: string): Promise<string> {
  const { PublicKey = new Uint8Array() } = await client.send(new GetPublicKeyCommand({ KeyId }))
  return Buffer.from(PublicKey).toString('base64')
}
