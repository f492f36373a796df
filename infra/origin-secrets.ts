import { RemovalPolicy, Validations } from 'aws-cdk-lib'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { environment, type Grant } from './grant.ts'

/**
 * The secrets with which the distribution proves to the functions that it has forwarded a request (D54).
 * CloudFormation resolves them during a deployment. All generations are accepted, and the first is sent.
 */
export class OriginSecrets extends Construct {
  private readonly secrets: readonly Secret[]

  constructor(scope: Construct, id: string, { names }: { names: readonly string[] }) {
    super(scope, id)
    this.secrets = names.map((name) => this.addSecret(name))
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

  private addSecret(name: string): Secret {
    const secret = new Secret(this, `Secret-${name}`, {
      description: 'The header with which CloudFront proves that it has forwarded a request',
      // The functions read a list with commas, and header values must be printable.
      generateSecretString: { excludePunctuation: true, passwordLength: 43 },
      removalPolicy: RemovalPolicy.DESTROY,
    })
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'A rotation must change the distribution and the functions together: docs/operations.md describes it.',
    })
    return secret
  }
}

/** CDK rejects the plain use of a secret value. The template contains only the reference. */
const referenceTo = (secret: Secret): string => secret.secretValue.unsafeUnwrap()
