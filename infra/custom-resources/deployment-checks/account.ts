import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { clientOptions } from '../client-options.ts'
import { whenPermitted } from '../when-permitted.ts'
import { certificateFaults } from './certificates.ts'
import type { AccountNeeds } from './checked-properties.ts'
import { logPolicyFaults } from './log-policies.ts'

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
