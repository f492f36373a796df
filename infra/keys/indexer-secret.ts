import { CfnOutput, Validations } from 'aws-cdk-lib'
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { allow, type Grant } from '../lambda/grant.ts'
import { removalPolicy } from '../settings/removal-policy.ts'
import { indexerNetworks, type Settings } from '../settings/settings.ts'

/** The secret with the API key for the indexer: random text, until an operator stores the key in it. */
export class IndexerSecret extends Construct {
  private readonly secret: ISecret
  private readonly url: string | undefined

  constructor(
    scope: Construct,
    id: string,
    { settings, name }: { settings: Settings; name: string | undefined },
  ) {
    super(scope, id)
    const { keepData, indexerSecretArn, indexerUrl } = settings
    this.url = indexerUrl
    // A secret of the settings replaces that of the stack (D70).
    this.secret = indexerSecretArn
      ? Secret.fromSecretCompleteArn(this, 'Existing', indexerSecretArn)
      : this.addSecret(name, keepData)
    new CfnOutput(this, 'KeyArn', {
      value: this.secret.secretArn,
    }).overrideLogicalId('IndexerSecretArn')
    new CfnOutput(this, 'Networks', {
      description: 'The networks that must be enabled in the Alchemy app of the key',
      value: indexerNetworks(settings).join(', '),
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
