import { CfnOutput, Validations } from 'aws-cdk-lib'
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { allow, type Grant } from '../lambda/grant.ts'
import { removalPolicy } from '../settings/removal-policy.ts'

/** The secret with the API key for the indexer: random text, until an operator stores the key in it. */
export class IndexerSecret extends Construct {
  private readonly secret: ISecret
  private readonly url: string | undefined

  constructor(
    scope: Construct,
    id: string,
    {
      keepData,
      name,
      existingArn,
      url,
      networks,
    }: {
      keepData: boolean
      name: string | undefined
      /** The ARN of a secret that replaces that of the stack (D70). */
      existingArn: string | undefined
      url: string | undefined
      /** The networks of the indexer that the service calls. */
      networks: readonly string[]
    },
  ) {
    super(scope, id)
    this.url = url
    this.secret = existingArn
      ? Secret.fromSecretCompleteArn(this, 'Existing', existingArn)
      : this.addSecret(name, keepData)
    new CfnOutput(this, 'KeyArn', {
      value: this.secret.secretArn,
    }).overrideLogicalId('IndexerSecretArn')
    new CfnOutput(this, 'Networks', {
      description: 'The networks that must be enabled in the Alchemy app of the key',
      value: networks.join(', '),
    }).overrideLogicalId('IndexerNetworks')
  }

  /** Permission to read the key. */
  grantRead(): Grant {
    return allow(['secretsmanager:GetSecretValue'], [this.secret.secretArn], {
      INDEXER_SECRET_ARN: this.secret.secretArn,
      ...(this.url && { INDEXER_URL: this.url }),
    })
  }

  private addSecret(name: string | undefined, keepData: boolean): ISecret {
    const secret = new Secret(this, 'Key', {
      ...(name && { secretName: name }),
      description: 'The API key for the indexer (Alchemy), as plain text',
      // The key becomes part of a URL path, so the random text must be valid there.
      generateSecretString: { excludePunctuation: true },
      removalPolicy: removalPolicy(keepData),
    })
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Alchemy issues its keys manually: docs/changes.md describes how to change the key.',
    })
    return secret as ISecret
  }
}
