import {
  CloudWatchLogsClient,
  DescribeResourcePoliciesCommand,
  type ResourcePolicy,
} from '@aws-sdk/client-cloudwatch-logs'
import { clientOptions } from '../client-options.ts'

/** The policy of an account and Region to which API Gateway adds each log group that it writes to. */
const deliveryPolicy = 'AWSLogDeliveryWrite20150319'

/** The quotas of CloudWatch Logs, which cannot be raised. */
const maxCharacters = 5_120
const maxPolicies = 10

/**
 * A sentence if API Gateway cannot add the log group to the policies of the account. Log groups under /aws/vendedlogs/
 * share one entry. Rejects with the error of CloudWatch Logs if it does not say.
 */
export async function logPolicyFaults(logGroup: string, stackId: string): Promise<string[]> {
  const policies = await resourcePolicies()
  const { policyDocument } = policies.find(({ policyName }) => policyName === deliveryPolicy) ?? {}
  const [, partition, , region, account] = stackId.split(':')
  const entry = `arn:${partition}:logs:${region}:${account}:log-group:${logGroup}:log-stream:*`
  if (policyDocument?.includes(entry)) return []
  const full =
    policyDocument === undefined
      ? policies.length >= maxPolicies &&
        `the account has ${policies.length} resource policies of CloudWatch Logs, and can have ${maxPolicies}`
      : `${policyDocument},"${entry}"`.length > maxCharacters &&
        `the resource policy ${deliveryPolicy} has ${policyDocument.length} of ${maxCharacters} characters`
  if (full === false) return []
  return [
    `API Gateway cannot write to the log group ${logGroup}: ${full}. Leave logGroupPrefix out, or let it begin with "/aws/vendedlogs/", which needs no further entry.`,
  ]
}

async function resourcePolicies(): Promise<ResourcePolicy[]> {
  const client = new CloudWatchLogsClient(clientOptions())
  const found: ResourcePolicy[] = []
  let nextToken: string | undefined
  do {
    const page = await client.send(new DescribeResourcePoliciesCommand({ nextToken }))
    found.push(...(page.resourcePolicies ?? []))
    nextToken = page.nextToken
  } while (nextToken !== undefined)
  return found
}
