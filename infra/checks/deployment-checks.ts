import { createHash } from 'node:crypto'
import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { secretFaults } from './indexer-secret.ts'
import { deployedKeys, importedKeyFaults } from './keys.ts'
import { publicKeysOf } from './public-keys.ts'
import { respond } from './response.ts'
import { tableFaults } from './restored-table.ts'

/** The keys that a version of the stack accepts for one kind of token. */
export interface KeyList {
  /** The kind of token, as the messages name it: `player tokens`. */
  readonly Purpose: string
  /** The alias of the key that signs. */
  readonly Alias: string
  /** ARNs of KMS keys, or public keys. Empty if the deployment does not know the keys. */
  readonly Accepted: readonly string[]
}

/** What a version of the stack uses, as the properties of the custom resource. CloudFormation sends texts. */
export interface CheckedProperties {
  readonly Keys: readonly KeyList[]
  readonly DropAllKeys: string
  /** The ARNs of the KMS keys that the stack uses and has not created. */
  readonly ImportedKeys: readonly string[]
  /** The name of the table that replaces the stack's own table, or empty text. */
  readonly RestoredTable: string
  /** The ARN of the secret that replaces the stack's own secret, or empty text. Versions before D70 have none. */
  readonly IndexerSecret?: string
  /** The ARNs of the KMS keys whose public keys the functions get. Versions before D74 have none. */
  readonly PublicKeysOf?: readonly string[]
}

/** The attributes of the custom resource, to which the functions refer. */
export interface CheckedAttributes {
  /** The public keys of `PublicKeysOf` (D74). */
  readonly PlayerTokenPublicKeys: string
}

type Event = CloudFormationCustomResourceEvent<CheckedProperties, CheckedProperties>
type Change = Exclude<Event, { RequestType: 'Delete' }>

/**
 * The handler of the custom resource that CloudFormation creates or updates before the functions of a version.
 * Fails the deployment, so that CloudFormation rolls it back, if the version drops all keys of a kind at once
 * (D43) or uses a key or table that it cannot use. Also reads the public keys for the functions (D74).
 */
export async function handler(event: Event): Promise<void> {
  if (event.RequestType === 'Delete') return await respond(event, event.PhysicalResourceId, [])
  const id = idOf(event.ResourceProperties)
  const current = event.RequestType === 'Update' ? event.PhysicalResourceId : undefined
  const [faults, PlayerTokenPublicKeys] = await Promise.all([
    // CloudFormation goes back to a version after it was refused its successor. That version is deployed already.
    current === id ? [] : faultsOf(event),
    // CloudFormation expects the attributes in every answer, and does not keep those of the answer before.
    publicKeysOf(event.ResourceProperties.PublicKeysOf ?? []),
  ])
  const attributes: CheckedAttributes = { PlayerTokenPublicKeys }
  await respond(event, faults.length > 0 ? (current ?? id) : id, faults, attributes)
}

/** Identifies a version by what it uses, so that the physical id of the resource is a record of the deployed version. */
function idOf(properties: CheckedProperties): string {
  const { Keys, DropAllKeys, ImportedKeys, RestoredTable, IndexerSecret } = properties
  const keys = Keys.map(({ Purpose, Alias, Accepted }) => [Purpose, Alias, Accepted])
  // Versions without another secret have the id that they had before D70.
  const more = IndexerSecret ? [IndexerSecret] : []
  const all = JSON.stringify([keys, DropAllKeys, ImportedKeys, RestoredTable, ...more])
  return `checked-${createHash('sha256').update(all).digest('hex').slice(0, 32)}`
}

async function faultsOf(event: Change): Promise<string[]> {
  const { ImportedKeys, RestoredTable, IndexerSecret = '' } = event.ResourceProperties
  try {
    return [
      ...(await droppedKeyFaults(event)),
      ...(await importedKeyFaults(ImportedKeys)),
      ...(await tableFaults(RestoredTable)),
      ...(await secretFaults(IndexerSecret)),
    ]
  } catch (error) {
    const { name, message } = error as Error
    return [`The checks of the deployment failed with ${name}: ${message}`]
  }
}

async function droppedKeyFaults(event: Change): Promise<string[]> {
  const { Keys, DropAllKeys } = event.ResourceProperties
  const before = event.RequestType === 'Update' ? event.OldResourceProperties : undefined
  // The second condition holds when CloudFormation rolls back a deployment that dropped all keys on purpose.
  if (DropAllKeys === 'true' || before?.DropAllKeys === 'true') return []
  const faults: string[] = []
  for (const { Purpose, Alias, Accepted } of Keys) {
    const old = before
      ? (before.Keys.find((each) => each.Purpose === Purpose)?.Accepted ?? [])
      : await deployedKeys(Alias, Accepted)
    const areKnown = old.length > 0 && Accepted.length > 0
    if (areKnown && !old.some((key) => Accepted.includes(key))) faults.push(refusal(Purpose, old))
  }
  return faults
}

const refusal = (purpose: string, old: readonly string[]) =>
  `This deployment accepts none of the keys of ${purpose} that are accepted now (${old.map(shortened).join(', ')}), so that every token would be rejected at once. Keep a key in the settings as docs/operations.md#rotating-a-key describes, or set "dropAllKeys": true for this one deployment.`

/** Public keys are long, and CloudFormation limits the length of a reason. */
const shortened = (key: string) => (key.length > 100 ? `${key.slice(0, 40)}…` : key)
