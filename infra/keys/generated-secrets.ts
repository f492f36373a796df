import { CfnOutput, Validations } from 'aws-cdk-lib'
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import type { VariableName } from '../../lib/settings/setting-table.ts'
import { environment, type Grant } from '../lambda/grant.ts'
import { removalPolicy } from '../settings/removal-policy.ts'
import type { Settings } from '../settings/settings.ts'

interface GeneratedSecretsProps {
  /** Each by its name, or by the ARN of a secret that the stack does not create. Another name makes another secret. */
  readonly names: readonly string[]
  /** How the ids of the secrets of the stack begin. */
  readonly idPrefix?: string
  /** The environment variable that holds the secrets, in the order of `names`. */
  readonly variable: VariableName
  readonly description: string
  /** Why Secrets Manager does not rotate them by itself. */
  readonly withoutRotation: string
  readonly keepData: boolean
}

/**
 * Secrets of 43 letters and digits, about 256 bits, which Secrets Manager generates. CloudFormation passes them on to the functions
 * during a deployment. A name that is removed leaves the stack: with `keepData` its secret remains in the account, and its
 * ARN takes it back.
 */
export class GeneratedSecrets extends Construct {
  readonly arns: readonly string[]
  /** The ARNs of the secrets that the stack uses and does not create. */
  readonly importedArns: readonly string[]
  /** The references to the secrets, which CloudFormation replaces by their values. They alone are in the template. */
  readonly references: readonly string[]
  private readonly variable: VariableName

  constructor(scope: Construct, id: string, props: GeneratedSecretsProps) {
    super(scope, id)
    const { names, idPrefix = 'Secret', variable } = props
    const secrets = names.map(
      (name, index): Pick<ISecret, 'secretArn' | 'secretValue'> =>
        isArn(name)
          ? Secret.fromSecretCompleteArn(this, `Imported-${index}`, name)
          : this.addSecret(`${idPrefix}-${name}`, props),
    )
    this.arns = secrets.map(({ secretArn }) => secretArn)
    this.importedArns = names.filter(isArn)
    // CDK rejects the plain use of a secret value.
    this.references = secrets.map(({ secretValue }) => secretValue.unsafeUnwrap())
    this.variable = variable
  }

  /** The secrets, as an environment variable. */
  grantUse(): Grant {
    return environment({ [this.variable]: this.references.join(',') })
  }

  private addSecret(id: string, props: GeneratedSecretsProps): Secret {
    const secret = new Secret(this, id, {
      description: props.description,
      // It can be a header or part of a list with commas.
      generateSecretString: { excludePunctuation: true, passwordLength: 43 },
      removalPolicy: removalPolicy(props.keepData),
    })
    Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: props.withoutRotation })
    return secret
  }
}

const isArn = (name: string): boolean => name.startsWith('arn:')

/** The key of the digests by which log lines name players (D72). */
export function addPlayerDigestKey(
  scope: Construct,
  { playerDigestKey, keepData }: Settings,
): GeneratedSecrets {
  const key = new GeneratedSecrets(scope, 'PlayerDigest', {
    names: [playerDigestKey],
    idPrefix: 'Key',
    variable: 'PLAYER_DIGEST_KEY',
    description: 'The key of the digests by which log lines name players',
    withoutRotation:
      'With another key, the lines of a player have another digest: docs/operations.md describes how to change it.',
    keepData,
  })
  new CfnOutput(key, 'SecretArn', {
    description: 'The secret with which npm run player-digest finds the log lines of a player',
    value: key.arns.join(','),
  }).overrideLogicalId('PlayerDigestSecretArn')
  return key
}

/**
 * The secret of signing in with wallets (D97, D99, D129), which is used for nothing else. With another one, messages, refresh tokens and
 * device codes of before are not valid.
 */
export const addSignInSecret = (scope: Construct, { walletSignIn, keepData }: Settings) =>
  walletSignIn &&
  new GeneratedSecrets(scope, 'SignIn', {
    names: [walletSignIn.secret],
    variable: 'SIGN_IN_SECRET',
    description: 'The secret of the messages and refresh tokens of sign-in with wallets',
    withoutRotation:
      'With another secret, every player must sign in again: docs/runbook.md describes when to change it.',
    keepData,
  })

/**
 * The secrets with which the distribution proves that it has forwarded a request, so that functions believe the address of the
 * viewer (D54). All are accepted, the first is sent.
 */
export const addOriginSecrets = (scope: Construct, { edge }: Settings) =>
  edge &&
  new GeneratedSecrets(scope, 'OriginSecrets', {
    names: edge.secrets,
    variable: 'EDGE_SECRETS',
    description: 'The header with which CloudFront proves that it has forwarded a request',
    withoutRotation:
      'A rotation must change the distribution and the functions together: docs/changes.md describes it.',
    keepData: false,
  })

/** The secrets from which those of webhooks follow (D123). New ones follow from the first, and all of them sign. */
export function addWebhookSecrets(
  scope: Construct,
  { webhooks, keepData }: Settings,
): GeneratedSecrets | undefined {
  if (!webhooks) return undefined
  const secrets = new GeneratedSecrets(scope, 'WebhookSecrets', {
    names: webhooks.secrets,
    variable: 'WEBHOOK_SECRETS',
    description: 'The secret from which those of webhooks follow',
    withoutRotation:
      'Developers rotate the secrets of their webhooks: docs/changes.md describes how to change this one.',
    keepData,
  })
  new CfnOutput(secrets, 'Arns', {
    description: 'The secrets from which those of webhooks follow, the one of new secrets first',
    value: secrets.arns.join(','),
  }).overrideLogicalId('WebhookSecretArns')
  return secrets
}
