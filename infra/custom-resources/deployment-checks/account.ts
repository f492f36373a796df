import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm'
import {
  CloudWatchLogsClient,
  DescribeResourcePoliciesCommand,
  type ResourcePolicy,
} from '@aws-sdk/client-cloudwatch-logs'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { clientOptions, whenPermitted } from '../aws-calls.ts'
import type { AccountNeeds, NeededCertificate } from './checked-properties.ts'

/** The executions that Lambda keeps unreserved, or all of the smaller quotas of new accounts. */
const unreservedConcurrency = 100

/** The needs of a stack that does not exist yet. */
export const noNeeds: AccountNeeds = { ReservedConcurrency: '0', Certificates: [], AccessLog: '' }

/**
 * A sentence for each further need of a version that AWS would refuse in this account (D81). A need that the version
 * before had too is not judged. A question that AWS does not answer is no reason to refuse a deployment.
 */
export async function accountFaults(
  before: AccountNeeds,
  after: AccountNeeds,
  stackId: string,
): Promise<string[]> {
  const more = Number(after.ReservedConcurrency) - Number(before.ReservedConcurrency)
  const certificates = after.Certificates.filter(
    ({ Arn, Domain }) =>
      !before.Certificates.some((each) => each.Arn === Arn && each.Domain === Domain),
  )
  const faults = await Promise.all([
    more > 0 ? answered(() => concurrencyFaults(more)) : [],
    ...certificates.map((each) => answered(() => certificateFaults(each))),
    after.AccessLog !== before.AccessLog && after.AccessLog !== ''
      ? answered(() => logPolicyFaults(after.AccessLog, stackId))
      : [],
  ])
  return faults.flat()
}

/** AWS itself refuses what it does not permit, so that a check without an answer may pass. */
async function answered(check: () => Promise<string[]>): Promise<string[]> {
  try {
    return await whenPermitted(check)
  } catch (error) {
    const { name, message } = error as Error
    console.warn(`A check of the account was left out, because of ${name}: ${message}`)
    return []
  }
}

async function concurrencyFaults(more: number): Promise<string[]> {
  const client = new LambdaClient(clientOptions())
  const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}))
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } =
    AccountLimit
  const least = Math.min(unreservedConcurrency, quota)
  const room = Math.max(0, unreserved - least)
  if (more <= room) return []
  return [
    `The functions would reserve ${more} more concurrent executions, and the account can reserve ${room} in this Region: of its quota of ${quota}, ${unreserved} are not reserved, and Lambda keeps ${least} of them. Set "reservedConcurrency": "none", or raise the quota: docs/quotas.md.`,
  ]
}

/** A sentence if the certificate cannot be used for its domain. Rejects with the error of ACM if it does not say. */
async function certificateFaults(needed: NeededCertificate): Promise<string[]> {
  const fault = await faultOf(needed)
  const { Setting, Arn } = needed
  return fault === undefined
    ? []
    : [`The certificate ${Arn} (${Setting}.certificateArn) cannot be used: ${fault}.`]
}

async function faultOf({ Setting, Arn, Domain }: NeededCertificate): Promise<string | undefined> {
  const options = clientOptions()
  const [, , , region = ''] = Arn.split(':')
  // The settings permit only certificates that CloudFront can use.
  if (Setting === 'domain' && region !== options.region) {
    return `it is in ${region}, and API Gateway needs one in ${options.region}`
  }
  const client = new ACMClient({ ...options, region })
  try {
    const { Certificate = {} } = await client.send(
      new DescribeCertificateCommand({ CertificateArn: Arn }),
    )
    const { Status, DomainName = '', SubjectAlternativeNames: names = [DomainName] } = Certificate
    if (Status !== 'ISSUED') return `its status is ${Status}, not ISSUED`
    if (names.some((name) => isValidFor(name, Domain))) return undefined
    return `it is valid for ${names.join(', ')}, and not for ${Domain}`
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error
    return 'it does not exist in this account'
  }
}

/** Whether a name of a certificate covers a domain: `*` stands for one label. */
const isValidFor = (name: string, domain: string): boolean =>
  name === domain || (name.startsWith('*.') && name.slice(1) === domain.slice(domain.indexOf('.')))

/** The policy of an account and Region to which API Gateway adds each log group that it writes to. */
const deliveryPolicy = 'AWSLogDeliveryWrite20150319'

/** The quotas of CloudWatch Logs, which cannot be raised. */
const maxCharacters = 5_120
const maxPolicies = 10

/**
 * A sentence if API Gateway cannot add the log group to the policies of the account. Log groups under /aws/vendedlogs/
 * share one entry. Rejects with the error of CloudWatch Logs if it does not say.
 */
async function logPolicyFaults(logGroup: string, stackId: string): Promise<string[]> {
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
