import { CfnOutput, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { type Access, access } from './grant.ts'

/**
 * The way to the indexer: a secret that holds its key. Until an operator has put the key there, the
 * secret holds random text, which the indexer refuses.
 */
export class Indexer extends Construct {
  private readonly secret: Secret
  private readonly url: string | undefined

  constructor(
    scope: Construct,
    id: string,
    { keepData, url }: { keepData: boolean; url: string | undefined },
  ) {
    super(scope, id)
    this.url = url
    this.secret = new Secret(this, 'Key', {
      description: 'The API key for the indexer (Alchemy), as plain text',
      // The key is part of a path: even a stand-in must be able to stand there.
      generateSecretString: { excludePunctuation: true },
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    })
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Alchemy issues its keys by hand: docs/operations.md says how to put a new one in.',
    })
    new CfnOutput(this, 'KeyArn', {
      value: this.secret.secretArn,
    }).overrideLogicalId('IndexerSecretArn')
  }

  /** Leave to read the key. */
  asked(): Access {
    return access(['secretsmanager:GetSecretValue'], [this.secret.secretArn], {
      INDEXER_SECRET_ARN: this.secret.secretArn,
      ...(this.url && { INDEXER_URL: this.url }),
    })
  }
}
