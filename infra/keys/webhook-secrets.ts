import { CfnOutput } from 'aws-cdk-lib'
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { environment, type Grant } from '../lambda/grant.ts'
import { removalPolicy } from '../settings/removal-policy.ts'
import { generatedSecret, referenceTo } from './generated-secrets.ts'

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
