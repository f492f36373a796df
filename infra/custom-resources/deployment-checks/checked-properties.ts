/** The keys that a version of the stack accepts for one kind of token. */
export interface KeyList {
  /** The kind of token, as the messages name it: `player tokens`. */
  readonly Purpose: string
  /** The alias of the key that signs. */
  readonly Alias: string
  /** ARNs of KMS keys, the key that signs first, or public keys. Empty if the deployment does not know the keys. */
  readonly Accepted: readonly string[]
  /** The setting that lists the KMS keys, for the messages. A login with keys of its own has none. */
  readonly Setting?: string
  /** The keys as the setting names them, in the order of `Accepted`. A login with keys of its own has none. */
  readonly Names?: readonly string[]
}

/** The form of a stack: which of its resources are in nested stacks, and in which (D147). */
export const stackForm = 'nested stacks by subject'

/** What a version of the stack uses, as the properties of the custom resource. CloudFormation sends texts. */
export interface CheckedProperties {
  /** The {@link stackForm} of the version. */
  readonly Form: string
  readonly Keys: readonly KeyList[]
  readonly DropAllKeys: string
  /** The ARNs of the KMS keys that the stack uses and has not created. */
  readonly ImportedKeys: readonly string[]
  /** The name of the table that replaces the stack's own table, or empty text. */
  readonly RestoredTable: string
  /** The name of the restored table that the version may leave, or empty text. */
  readonly LeaveTable: string
  /** The ARN of the secret that replaces the stack's own secret, or empty text. */
  readonly IndexerSecret: string
  /** The ARNs of the secrets of webhooks that the stack uses and has not created (D123). Versions without any have none. */
  readonly WebhookSecrets?: readonly string[]
  /** The issuers of player tokens, the one of new player tokens first. */
  readonly PlayerTokenIssuers: readonly string[]
  /** The ARNs of the KMS keys whose public keys the functions get. */
  readonly PublicKeysOf: readonly string[]
  /** Who must be able to sign with a key that the stack has not created, in deployments in which that can be missing (D113). */
  readonly Signers?: Signers
  readonly Needs: AccountNeeds
}

/** The ARNs of the roles that sign with a key, and its ARN. */
export interface Signers {
  readonly Key: string
  readonly Roles: readonly string[]
}

/** What AWS refuses to create if the account has no room for it, or does not have it (D81). */
export interface AccountNeeds {
  /** The sum of the concurrent executions that the functions reserve. */
  readonly ReservedConcurrency: string
  readonly Certificates: readonly NeededCertificate[]
  /** The name of the log group for which API Gateway adds a permission to a policy of the account, or empty text. */
  readonly AccessLog: string
}

/** A certificate, and the domain that it must be valid for. */
export interface NeededCertificate {
  readonly Setting: 'domain' | 'edge.domain'
  readonly Arn: string
  readonly Domain: string
}

/** The attributes of the custom resource, to which the functions refer. */
export interface CheckedAttributes {
  /** The public keys of `PublicKeysOf` (D74). */
  readonly PlayerTokenPublicKeys: string
}
