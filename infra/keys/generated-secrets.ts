import { CfnOutput, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { environment, type Grant } from '../lambda/grant.ts'
import { removalPolicy } from '../settings/removal-policy.ts'

interface GeneratedSecretProps {
  readonly description: string
  readonly removalPolicy: RemovalPolicy
  /** Why Secrets Manager does not rotate the secret by itself. */
  readonly withoutRotation: string
}

/** A secret of 43 letters and digits, about 256 bits, which Secrets Manager generates. */
function generatedSecret(scope: Construct, id: string, props: GeneratedSecretProps): Secret {
  const { description, removalPolicy, withoutRotation } = props
  const secret = new Secret(scope, id, {
    description,
    // It can be a header or part of a list with commas.
    generateSecretString: { excludePunctuation: true, passwordLength: 43 },
    removalPolicy,
  })
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: withoutRotation })
  return secret
}

/** The reference to a secret, which CloudFormation replaces by its value. It alone is in the template. */
// CDK rejects the plain use of a secret value.
const referenceTo = (secret: Pick<ISecret, 'secretValue'>): string =>
  secret.secretValue.unsafeUnwrap()

/** The key of the digests by which log lines name players (D72). Another name makes another key. */
export class PlayerDigestKey extends Construct {
  private readonly key: string

  constructor(scope: Construct, id: string, props: { name: string; keepData: boolean }) {
    super(scope, id)
    const secret = generatedSecret(this, `Key-${props.name}`, {
      description: 'The key of the digests by which log lines name players',
      removalPolicy: removalPolicy(props.keepData),
      withoutRotation:
        'With another key, the lines of a player have another digest: docs/operations.md describes how to change it.',
    })
    this.key = referenceTo(secret)
    new CfnOutput(this, 'SecretArn', {
      description: 'The secret with which npm run player-digest finds the log lines of a player',
      value: secret.secretArn,
    }).overrideLogicalId('PlayerDigestSecretArn')
  }

  /** The key, as an environment variable. */
  grantDigest(): Grant {
    return environment({ PLAYER_DIGEST_KEY: this.key })
  }
}

/**
 * The secret of signing in with wallets (D97, D99, D129), which is used for nothing else. Another name makes another secret, with
 * which messages, refresh tokens and device codes of before are not valid. CloudFormation passes it on to the functions during a deployment.
 */
export class SignInSecret extends Construct {
  private readonly secret: string

  constructor(scope: Construct, id: string, props: { name: string; keepData: boolean }) {
    super(scope, id)
    const secret = generatedSecret(this, `Secret-${props.name}`, {
      description: 'The secret of the messages and refresh tokens of sign-in with wallets',
      removalPolicy: removalPolicy(props.keepData),
      withoutRotation:
        'With another secret, every player must sign in again: docs/runbook.md describes when to change it.',
    })
    this.secret = referenceTo(secret)
  }

  /** The secret, as an environment variable. */
  grantUse(): Grant {
    return environment({ SIGN_IN_SECRET: this.secret })
  }
}

/**
 * The secrets with which the distribution proves that it has forwarded a request (D54). All are accepted, the first is
 * sent.
 */
export class OriginSecrets extends Construct {
  private readonly secrets: readonly Secret[]

  constructor(scope: Construct, id: string, { names }: { names: readonly string[] }) {
    super(scope, id)
    this.secrets = names.map((name) =>
      generatedSecret(this, `Secret-${name}`, {
        description: 'The header with which CloudFront proves that it has forwarded a request',
        removalPolicy: RemovalPolicy.DESTROY,
        withoutRotation:
          'A rotation must change the distribution and the functions together: docs/changes.md describes it.',
      }),
    )
  }

  /** The secret that the distribution sends, as a dynamic reference. */
  get sent(): string {
    const [first] = this.secrets as [Secret, ...Secret[]]
    return referenceTo(first)
  }

  /** The secrets that a function accepts, so that it believes the address of the viewer. */
  grantBelieve(): Grant {
    return environment({ EDGE_SECRETS: this.secrets.map(referenceTo).join(',') })
  }
}

/**
 * The generations of the secret from which those of webhooks follow (D123), each by its name, or by the ARN of a secret that
 * the stack does not create. New secrets of webhooks follow from the first, and all of them sign. CloudFormation passes them on to the functions
 * during a deployment. A generation that is removed leaves the stack: with `keepData` it remains in the account, and its ARN
 * takes it back.
 */
export class WebhookSecrets extends Construct {
  /** The ARNs of the secrets that the stack uses and does not create. */
  readonly importedArns: readonly string[]
  private readonly secrets: readonly Pick<ISecret, 'secretArn' | 'secretValue'>[]

  constructor(
    scope: Construct,
    id: string,
    props: { names: readonly string[]; keepData: boolean },
  ) {
    super(scope, id)
    const { names, keepData } = props
    this.importedArns = names.filter(isArn)
    this.secrets = names.map((name, index) =>
      isArn(name)
        ? Secret.fromSecretCompleteArn(this, `Imported-${index}`, name)
        : generatedSecret(this, `Secret-${name}`, {
            description: 'The secret from which those of webhooks follow',
            removalPolicy: removalPolicy(keepData),
            withoutRotation:
              'Developers rotate the secrets of their webhooks: docs/changes.md describes how to change this one.',
          }),
    )
    new CfnOutput(this, 'Arns', {
      description: 'The secrets from which those of webhooks follow, the one of new secrets first',
      value: this.secrets.map(({ secretArn }) => secretArn).join(','),
    }).overrideLogicalId('WebhookSecretArns')
  }

  /** The secrets, as an environment variable, in the order of the setting. */
  grantUse(): Grant {
    return environment({ WEBHOOK_SECRETS: this.secrets.map(referenceTo).join(',') })
  }
}

const isArn = (name: string): boolean => name.startsWith('arn:')
