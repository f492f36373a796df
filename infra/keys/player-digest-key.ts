import { CfnOutput } from 'aws-cdk-lib'
import { Construct } from 'constructs'
import { environment, type Grant } from '../lambda/grant.ts'
import { removalPolicy } from '../settings/removal-policy.ts'
import { generatedSecret, referenceTo } from './generated-secret.ts'

/**
 * The key of the digests by which log lines name players (D72). Another name makes another key. CloudFormation passes
 * it on to the functions during a deployment, so that a function needs no request for it.
 */
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
