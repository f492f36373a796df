import { CfnOutput, Stack } from 'aws-cdk-lib'
import { AnyPrincipal, ArnPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Alias, type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import type { VariableName } from '../../lib/settings/setting-table.ts'
import type { KeyList, Signers } from '../custom-resources/deployment-checks/checked-properties.ts'
import { allow, type Grant } from '../lambda/grant.ts'
import { removalPolicy } from '../settings/removal-policy.ts'
import { rootStack } from '../subject-stacks.ts'

export interface SigningKeysProps {
  /** What the keys sign: `player-token`, `user-jwt`. */
  readonly purpose: string
  /** Each by its name, or by the ARN of a key that the stack does not create. All are accepted, and the first signs. */
  readonly names: readonly string[]
  /** The environment variable that holds the ARNs of the keys, in the order of `names`. */
  readonly variable: VariableName
  readonly keepData: boolean
  /** The ARN of a role outside this stack that has permission to sign. */
  readonly signerRoleArn?: string | undefined
  /** The ARNs of the only roles that can sign (D70); none of them: nobody can. Without it, IAM policies decide who can sign. */
  readonly onlySignerArns?: readonly string[] | undefined
}

/**
 * The generations of a P-256 signing key, and an alias for the generation that signs. A generation that is
 * removed from `names` leaves the stack: with `keepData` its KMS key remains in the account, otherwise KMS
 * deletes the key 30 days later. The ARN of a key that remains in the account takes the key back.
 */
export class SigningKeys extends Construct {
  /** The ARNs of the keys that the stack uses and does not create. */
  readonly importedKeyArns: readonly string[]
  /** Refers to the key that signs. */
  readonly alias: Alias
  private readonly keys: readonly IKey[]
  private readonly names: readonly string[]
  private readonly aliasName: string
  private readonly variable: VariableName
  private readonly signerArns: readonly string[] | undefined

  constructor(scope: Construct, id: string, props: SigningKeysProps) {
    super(scope, id)
    this.variable = props.variable
    this.signerArns = props.onlySignerArns
    this.names = props.names
    this.aliasName = signingAlias(Stack.of(this), props.purpose)
    this.importedKeyArns = props.names.filter(isArn)
    this.keys = props.names.map((name) =>
      isArn(name)
        ? Key.fromKeyArn(this, `Imported-${keyIdIn(name)}`, name)
        : this.addKey(name, props),
    )
    const [signing] = this.keys as [IKey, ...IKey[]]
    this.alias = new Alias(this, 'Alias', {
      aliasName: this.aliasName,
      targetKey: signing,
    })
    new CfnOutput(this, 'SigningKeyArn', { value: signing.keyArn }).overrideLogicalId(`${id}Arn`)
  }

  /** The ARNs of all generations, the key that signs first. */
  get keyArns(): string[] {
    return this.keys.map(({ keyArn }) => keyArn)
  }

  /** Permission to read the public keys. */
  grantVerify(): Grant {
    return this.allow(['kms:GetPublicKey'])
  }

  /** Permission to sign and to read the public keys, of every generation: some functions still use the previous one. */
  grantSign(): Grant {
    return this.allow(['kms:GetPublicKey', 'kms:Sign'])
  }

  /** Who signs, if that is decided by the policy of a key that the stack does not create (D113). */
  get importedSigners(): Signers | undefined {
    const [signing = ''] = this.names
    return isArn(signing) && this.signerArns ? { Key: signing, Roles: this.signerArns } : undefined
  }

  /** The keys, for the checks of a deployment. Their messages name the kind of token and the setting. */
  checkedList(purpose: string, setting: 'playerTokenKeys' | 'userJwtKeys'): KeyList {
    return {
      Purpose: purpose,
      Alias: this.aliasName,
      Accepted: this.keyArns,
      Setting: setting,
      Names: this.names,
    }
  }

  private allow(actions: string[]): Grant {
    return allow(actions, this.keyArns, { [this.variable]: this.keyArns.join(',') })
  }

  private addKey(name: string, props: SigningKeysProps): Key {
    const { purpose, keepData, signerRoleArn, onlySignerArns } = props
    const { stackName } = Stack.of(this)
    const key = new Key(this, `Key-${name}`, {
      description: `${stackName}: ${purpose} ${name}`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: removalPolicy(keepData),
    })
    if (signerRoleArn) key.addToResourcePolicy(permissionToSign(signerRoleArn))
    if (onlySignerArns) key.addToResourcePolicy(denialToSign(onlySignerArns))
    return key
  }
}

/** The alias of the key that signs. */
export const signingAlias = ({ stackName }: Stack, purpose: string): string =>
  `alias/${stackName}/${purpose}`

const isArn = (name: string) => name.startsWith('arn:')

const keyIdIn = (arn: string) => arn.slice(arn.indexOf('/') + 1)

const permissionToSign = (roleArn: string) =>
  new PolicyStatement({
    principals: [new ArnPrincipal(roleArn)],
    actions: ['kms:GetPublicKey', 'kms:Sign'],
    // In a key policy, `*` means the key itself.
    resources: ['*'],
    conditions: { StringEqualsIfExists: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } },
  })

/**
 * Denies signing to everybody but these roles (D70). The default statement of a key policy permits the account to give this
 * permission to anybody. It also permits the account to change the key policy, which stays so.
 */
const denialToSign = (roleArns: readonly string[]) =>
  new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['kms:Sign'],
    resources: ['*'],
    ...(roleArns.length > 0 && {
      conditions: { ArnNotEquals: { 'aws:PrincipalArn': oneOrMore(roleArns) } },
    }),
  })

const oneOrMore = <T>(values: readonly T[]): T | readonly T[] =>
  values.length === 1 ? (values[0] as T) : values

/** The operations that sign player tokens, and what the names of their roles have between the stack and the Region. */
const signers: Readonly<Record<string, string>> = {
  createPlayerToken: 'signer',
  createToken: 'sign-in-signer',
}

/**
 * The name of the role of an operation that signs player tokens; `undefined` for any other operation. The policies of the keys name
 * the role (D70), also of keys that outlive the stack, so CloudFormation does not choose the name. Roles belong to an account, so
 * that the name has the Region.
 */
export function tokenSignerRoleName(scope: Construct, operationId: string): string | undefined {
  const { stackName, region } = rootStack(scope)
  const signer = signers[operationId]
  return signer && `${stackName}-${signer}-${region}`
}

/** The ARNs of these roles, as text, because the roles refer to the keys. */
export const tokenSignerRoleArns = (scope: Construct, operationIds: readonly string[]): string[] =>
  operationIds
    .flatMap((id) => tokenSignerRoleName(scope, id) ?? [])
    .map((resourceName) =>
      rootStack(scope).formatArn({ service: 'iam', region: '', resource: 'role', resourceName }),
    )
