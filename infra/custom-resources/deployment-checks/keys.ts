import {
  DescribeKeyCommand,
  GetPublicKeyCommand,
  KMSClient,
  paginateListAliases,
} from '@aws-sdk/client-kms'
import { clientOptions, faultsOfUse, whenPermitted } from '../aws-calls.ts'
import type { CheckedProperties, KeyList } from './checked-properties.ts'

/** The key of an alias, if a stack of an earlier version has created it: its ARN if that is in `wanted`. */
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
  const faults = keyArns.map((KeyId) => faultsOfUse(`key ${KeyId}`, () => faultOf(client, KeyId)))
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

/**
 * A sentence for each kind of token whose keys an update changes so that valid tokens would be rejected: if all keys are
 * dropped at once (D43), and, where KMS signs, if the first key is not accepted yet or the key that signs now is
 * dropped (D75). `before` is undefined in the first deployment with the checks, which only drops keys. `dropAllKeys`
 * permits all of it, unless it was set in the deployment before too.
 */
export async function changedKeyFaults(
  before: CheckedProperties | undefined,
  after: CheckedProperties,
): Promise<string[]> {
  const wasSet = before?.DropAllKeys === 'true'
  if (after.DropAllKeys === 'true' && !wasSet) return []
  const permit =
    after.DropAllKeys === 'true'
      ? '"dropAllKeys": true was set in the deployment before too, and holds for one deployment: deploy once without it and without this change, then with both.'
      : 'If it is meant, for example after a leak, set "dropAllKeys": true for this one deployment.'
  const faults = await Promise.all(after.Keys.map((list) => changeFault(before, list)))
  return faults.flatMap((fault) => (fault === undefined ? [] : [`${fault} ${permit}`]))
}

async function changeFault(
  before: CheckedProperties | undefined,
  list: KeyList,
): Promise<string | undefined> {
  const old = before ? before.Keys.find(({ Purpose }) => Purpose === list.Purpose) : undefined
  const accepted = before ? (old?.Accepted ?? []) : await deployedKeys(list.Alias, list.Accepted)
  const areKnown = accepted.length > 0 && list.Accepted.length > 0
  if (!areKnown) return undefined
  if (!accepted.some((key) => list.Accepted.includes(key))) return allDropped(list, accepted, old)
  return old && orderFault(old, list)
}

const allDropped = ({ Purpose }: KeyList, accepted: readonly string[], old: KeyList | undefined) =>
  `This deployment accepts none of the keys of ${Purpose} that are accepted now (${accepted.map((key) => shown(key, old)).join(', ')}), so that every token would be rejected at once. Keep a key in the settings as docs/changes.md#rotating-a-key describes.`

/** Only KMS signs with the first key of the list. A login with public keys signs with whichever it wants. */
function orderFault(before: KeyList, after: KeyList): string | undefined {
  if (![...before.Accepted, ...after.Accepted].every((key) => key.startsWith('arn:'))) return
  const [signing = ''] = before.Accepted
  const [next = ''] = after.Accepted
  const faults = [
    ...(before.Accepted.includes(next)
      ? []
      : [
          `${shown(next, after)} is first and would sign ${after.Purpose}, but is not accepted yet`,
        ]),
    ...(after.Accepted.includes(signing)
      ? []
      : [`${shown(signing, before)}, which signs ${after.Purpose} now, is missing`]),
  ]
  if (faults.length === 0) return undefined
  const accepted = before.Accepted.map((key) => shown(key, before)).join(', ')
  return `${after.Setting}: ${faults.join(', and ')}. The keys that are accepted now: ${accepted}; the first of them signs. Correct the names, or take the steps of docs/changes.md#rotating-a-key.`
}

/** The name of a key in the settings, or what identifies a key of a login. */
function shown(key: string, list: KeyList | undefined): string {
  const name = list?.Names?.[list.Accepted.indexOf(key)]
  // Public keys are long, and CloudFormation limits the length of a reason.
  return name === undefined ? (key.length > 100 ? `${key.slice(0, 40)}…` : key) : `"${name}"`
}

/** A sentence if an update no longer accepts the issuer that player tokens get now, so all would be rejected (D90). */
export function issuerFaults(before: CheckedProperties, after: CheckedProperties): string[] {
  const isPermitted = after.DropAllKeys === 'true' && before.DropAllKeys !== 'true'
  const { PlayerTokenIssuers: accepted } = after
  const [signing = ''] = before.PlayerTokenIssuers
  return isPermitted || accepted.includes(signing)
    ? []
    : [
        `playerTokenIssuers: "${signing}", which player tokens get now, is missing (without the setting, they get that of issuer), so that every player token would be rejected at once. Keep it in the list: docs/connect-your-platform.md#what-one-token-can-do-and-how-it-ends. If all players may need new player tokens, set "dropAllKeys": true for this one deployment.`,
      ]
}
