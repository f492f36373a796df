import { CfnOutput, Stack } from 'aws-cdk-lib'
import { AnyPrincipal, ArnPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Alias, type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import type { VariableName } from '../../lib/settings/setting-table.ts'
import type { KeyList } from '../custom-resources/deployment-checks/checked-properties.ts'
import { allow, type Grant } from '../lambda/grant.ts'
import { removalPolicy } from '../settings/removal-policy.ts'

export interface SigningKeysProps {
  /** What the keys sign: `player-token`, `user-jwt`. */
  readonly purpose: string
  /**
   * The generations of the key, each by its name, or by the ARN of a key that the stack does not create. All
   * generations are accepted, and the first generation signs.
   */
  readonly names: readonly string[]
  /** The environment variable that holds the ARNs of the keys, in the order of `names`. */
  readonly variable: VariableName
  readonly keepData: boolean
  /** The ARN of a role outside this stack that has permission to sign. */
  readonly signerRoleArn?: string | undefined
  /** The ARN of the only role that can sign (D70). Without it, IAM policies decide who can sign. */
  readonly onlySignerArn?: string | undefined
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

  constructor(scope: Construct, id: string, props: SigningKeysProps) {
    super(scope, id)
    this.variable = props.variable
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

  /**
   * Permission to sign and to read the public keys. It covers every generation, because some functions
   * still sign with the previous generation during a deployment.
   */
  grantSign(): Grant {
    return this.allow(['kms:GetPublicKey', 'kms:Sign'])
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
    const { purpose, keepData, signerRoleArn, onlySignerArn } = props
    const { stackName } = Stack.of(this)
    const key = new Key(this, `Key-${name}`, {
      description: `${stackName}: ${purpose} ${name}`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: removalPolicy(keepData),
    })
    if (signerRoleArn) key.addToResourcePolicy(permissionToSign(signerRoleArn))
    if (onlySignerArn) key.addToResourcePolicy(denialToSign(onlySignerArn))
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
 * Denies signing to everybody but a role (D70). The default statement of a key policy permits the account to give this
 * permission to anybody. It also permits the account to change the key policy, which stays so.
 */
const denialToSign = (roleArn: string) =>
  new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['kms:Sign'],
    resources: ['*'],
    conditions: { ArnNotEquals: { 'aws:PrincipalArn': roleArn } },
  })

/**
 * The name of the role of the function that signs player tokens. The policies of its keys name the role (D70), also of
 * keys that outlive the stack, so CloudFormation does not choose the name. Roles belong to an account, so that the
 * name has the Region.
 */
export function tokenSignerRoleName(scope: Construct): string {
  const { stackName, region } = Stack.of(scope)
  return `${stackName}-signer-${region}`
}

/** The ARN of the role with the name {@link tokenSignerRoleName}, which this does not refer to: the role refers to the keys. */
export const tokenSignerRoleArn = (scope: Construct): string =>
  Stack.of(scope).formatArn({
    service: 'iam',
    region: '',
    resource: 'role',
    resourceName: tokenSignerRoleName(scope),
  })
