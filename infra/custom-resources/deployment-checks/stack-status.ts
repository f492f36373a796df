import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { clientOptions } from '../../../lib/adapters/aws-client.ts'
import { whenPermitted } from '../when-permitted.ts'

/** CloudFormation permits few of these calls in a second. With the SDK's pauses, these attempts take up to half a minute. */
const maxAttempts = 6

/**
 * Whether CloudFormation is rolling a stack back. The event that a custom resource then gets is that of an ordinary
 * update. Rejects with the error of CloudFormation if it does not say.
 */
export async function isRollingBack(stackId: string): Promise<boolean> {
  const client = new CloudFormationClient({ ...clientOptions(), maxAttempts })
  const { Stacks } = await whenPermitted(() =>
    client.send(new DescribeStacksCommand({ StackName: stackId })),
  )
  return Stacks?.[0]?.StackStatus?.endsWith('ROLLBACK_IN_PROGRESS') ?? false
}
