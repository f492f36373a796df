import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { ArnPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Alias, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import type { VariableName } from '../lib/settings/rules.ts'
import { allow, type Grant } from './grant.ts'

export interface SigningKeysProps {
  /** What the keys sign: `player-token`, `user-jwt`. */
  readonly purpose: string
  /** The names of the key's generations. All generations are accepted, and the first generation signs. */
  readonly names: readonly string[]
  /** The environment variable that holds the ARNs of the keys, in the order of `names`. */
  readonly variable: VariableName
  readonly keepData: boolean
  /** The ARN of a role outside this stack that has permission to sign. */
  readonly signerRoleArn?: string | undefined
}

/**
 * The generations of a P-256 signing key, and an alias for the generation that signs. A generation that is
 * removed from `names` leaves the stack: with `keepData` its KMS key remains in the account, otherwise KMS
 * deletes the key 30 days later.
 */
export class SigningKeys extends Construct {
  private readonly keys: readonly Key[]
  private readonly variable: VariableName

  constructor(scope: Construct, id: string, props: SigningKeysProps) {
    super(scope, id)
    const { stackName } = Stack.of(this)
    this.variable = props.variable
    this.keys = props.names.map((name) => this.addKey(name, props))
    const [signing] = this.keys as [Key, ...Key[]]
    new Alias(this, 'Alias', {
      aliasName: `alias/${stackName}/${props.purpose}`,
      targetKey: signing,
    })
    new CfnOutput(this, 'SigningKeyArn', { value: signing.keyArn }).overrideLogicalId(`${id}Arn`)
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

  private allow(actions: string[]): Grant {
    const keyArns = this.keys.map(({ keyArn }) => keyArn)
    return allow(actions, keyArns, { [this.variable]: keyArns.join(',') })
  }

  private addKey(name: string, { purpose, keepData, signerRoleArn }: SigningKeysProps): Key {
    const { stackName } = Stack.of(this)
    const key = new Key(this, `Key-${name}`, {
      description: `${stackName}: ${purpose} ${name}`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    })
    if (signerRoleArn) key.addToResourcePolicy(permissionToSign(signerRoleArn))
    return key
  }
}

const permissionToSign = (roleArn: string) =>
  new PolicyStatement({
    principals: [new ArnPrincipal(roleArn)],
    actions: ['kms:GetPublicKey', 'kms:Sign'],
    // In a key policy, `*` means the key itself.
    resources: ['*'],
    conditions: { StringEqualsIfExists: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } },
  })
