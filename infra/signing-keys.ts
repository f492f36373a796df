import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { ArnPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Alias, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import { type Access, access } from './grant.ts'

export interface SigningKeysProps {
  /** What the keys sign: `player-token`, `user-jwt`. */
  readonly purpose: string
  /** The generations of the key by name: all are accepted, the first one signs. */
  readonly names: readonly string[]
  /** The variable in which functions find the ARNs, in this order. */
  readonly variable: string
  readonly keepData: boolean
  /** A role outside this stack that may sign. */
  readonly signerRoleArn?: string | undefined
}

/**
 * The generations of one P-256 signing key, and an alias for the one that signs. A generation that is
 * no longer named leaves the stack: with `keepData` the key itself stays, else KMS deletes it 30 days later.
 */
export class SigningKeys extends Construct {
  private readonly keys: readonly Key[]
  private readonly variable: string

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

  /** Leave to read the public halves. */
  verified(): Access {
    return this.access(['kms:GetPublicKey'])
  }

  /**
   * Leave to sign. It covers every generation, because while a deployment is under way functions sign
   * with the one before.
   */
  signed(): Access {
    return this.access(['kms:GetPublicKey', 'kms:Sign'])
  }

  private access(actions: string[]): Access {
    const keyArns = this.keys.map(({ keyArn }) => keyArn)
    return access(actions, keyArns, { [this.variable]: keyArns.join(',') })
  }

  private addKey(name: string, { purpose, keepData, signerRoleArn }: SigningKeysProps): Key {
    const { stackName } = Stack.of(this)
    const key = new Key(this, `Key-${name}`, {
      description: `${stackName}: ${purpose} ${name}`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    })
    if (signerRoleArn) key.addToResourcePolicy(leaveToSign(signerRoleArn))
    return key
  }
}

const leaveToSign = (roleArn: string) =>
  new PolicyStatement({
    principals: [new ArnPrincipal(roleArn)],
    actions: ['kms:GetPublicKey', 'kms:Sign'],
    // In the policy of a key this is the key itself.
    resources: ['*'],
    conditions: { StringEqualsIfExists: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } },
  })
