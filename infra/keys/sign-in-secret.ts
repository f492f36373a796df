import { Construct } from 'constructs'
import { environment, type Grant } from '../lambda/grant.ts'
import { removalPolicy } from '../settings/removal-policy.ts'
import { generatedSecret, referenceTo } from './generated-secret.ts'

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
