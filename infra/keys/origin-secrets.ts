import { RemovalPolicy } from 'aws-cdk-lib'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { environment, type Grant } from '../lambda/grant.ts'
import { generatedSecret, referenceTo } from './generated-secret.ts'

/**
 * The secrets with which the distribution proves to the functions that it has forwarded a request (D54).
 * CloudFormation resolves them during a deployment. All generations are accepted, and the first is sent.
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
