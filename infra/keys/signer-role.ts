import { Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'

/**
 * The name of the role of the function that signs player tokens. The policies of its keys name the role (D70), also of
 * keys that outlive the stack, so CloudFormation does not choose the name. Roles belong to an account, so that the
 * name has the Region.
 */
export function signerRoleName(scope: Construct): string {
  const { stackName, region } = Stack.of(scope)
  return `${stackName}-signer-${region}`
}

/** The ARN of the role with the name {@link signerRoleName}, which this does not refer to: the role refers to the keys. */
export const signerRoleArn = (scope: Construct): string =>
  Stack.of(scope).formatArn({
    service: 'iam',
    region: '',
    resource: 'role',
    resourceName: signerRoleName(scope),
  })
