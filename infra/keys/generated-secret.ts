import { type RemovalPolicy, Validations } from 'aws-cdk-lib'
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'

export interface GeneratedSecretProps {
  readonly description: string
  readonly removalPolicy: RemovalPolicy
  /** Why Secrets Manager does not rotate the secret by itself. */
  readonly withoutRotation: string
}

/** A secret of 43 letters and digits, about 256 bits, which Secrets Manager generates. */
export function generatedSecret(scope: Construct, id: string, props: GeneratedSecretProps): Secret {
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

/**
 * The dynamic reference to a secret, which CloudFormation replaces by its value during a deployment. The template
 * contains only the reference.
 */
// CDK rejects the plain use of a secret value.
export const referenceTo = (secret: Pick<ISecret, 'secretValue'>): string =>
  secret.secretValue.unsafeUnwrap()
