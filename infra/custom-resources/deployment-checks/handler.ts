import { createHash } from 'node:crypto'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { clientOptions, whenPermitted } from '../aws-calls.ts'
import { respond } from '../response.ts'
import { accountFaults, noNeeds } from './account.ts'
import type { CheckedAttributes, CheckedProperties } from './checked-properties.ts'
import { changedKeyFaults, importedKeyFaults, issuerFaults, publicKeysOf } from './keys.ts'
import { leftTableFaults, secretFaults, signerFaults, tableFaults } from './retained.ts'

type Event = CloudFormationCustomResourceEvent<CheckedProperties, CheckedProperties>
type Change = Exclude<Event, { RequestType: 'Delete' }>

/**
 * The handler of the custom resource that CloudFormation creates or updates before the functions of a version.
 * Fails the deployment, so that CloudFormation rolls it back, if the stack has another form (D147), if valid tokens would be
 * rejected (D43, D75, D90), if it leaves the restored table by mistake (D76), if it uses a key or table that it cannot use, or if
 * AWS would refuse what it needs of the account (D81). Also reads the public keys for the functions (D74).
 */
export async function handler(event: Event): Promise<void> {
  if (event.RequestType === 'Delete') return await respond(event, event.PhysicalResourceId, [])
  const id = idOf(event.ResourceProperties)
  const current = event.RequestType === 'Update' ? event.PhysicalResourceId : undefined
  const [faults, PlayerTokenPublicKeys] = await Promise.all([
    // CloudFormation goes back to a version after it was refused its successor. That version is deployed already.
    current === id ? [] : faultsOf(event),
    // CloudFormation expects the attributes in every answer, and does not keep those of the answer before.
    publicKeysOf(event.ResourceProperties.PublicKeysOf),
  ])
  const attributes: CheckedAttributes = { PlayerTokenPublicKeys }
  await respond(event, faults.length > 0 ? (current ?? id) : id, faults, attributes)
}

/** Identifies a version by what it uses, so that the physical id of the resource is a record of the deployed version. */
function idOf(properties: CheckedProperties): string {
  const { Keys, DropAllKeys, ImportedKeys, RestoredTable, IndexerSecret, Needs } = properties
  const { PlayerTokenIssuers: issuers, Signers, WebhookSecrets, Form } = properties
  const keys = Keys.map(({ Purpose, Alias, Accepted }) => [Purpose, Alias, Accepted])
  const needs = [
    Needs.ReservedConcurrency,
    Needs.Certificates.map(({ Arn, Domain }) => [Arn, Domain]),
    Needs.AccessLog,
  ]
  const more = [
    ...(IndexerSecret ? [IndexerSecret] : []),
    ...[needs, { issuers }],
    ...(Signers ? [{ signers: Signers.Roles }] : []),
    ...(WebhookSecrets ? [{ webhookSecrets: WebhookSecrets }] : []),
    { form: Form },
  ]
  const all = JSON.stringify([keys, DropAllKeys, ImportedKeys, RestoredTable, ...more])
  return `checked-${createHash('sha256').update(all).digest('hex').slice(0, 32)}`
}

/** The reasons to refuse a deployment. There are none to refuse a roll-back of CloudFormation, which must not fail. */
async function faultsOf(event: Change): Promise<string[]> {
  const faults = await foundFaults(event)
  if (faults.length === 0) return faults
  try {
    const status = await statusOf(event.StackId)
    if (status.endsWith('ROLLBACK_IN_PROGRESS')) return []
    return status === 'CREATE_IN_PROGRESS' ? [...faults, wayOut(event.StackId)] : faults
  } catch (error) {
    if (event.RequestType === 'Create') return faults
    // A refusal can be repeated in both cases, and tokens or data that are lost do not come back.
    return [
      ...faults,
      `CloudFormation did not say whether it rolls the stack back (${described(error)}). If it does, continue with: aws cloudformation continue-update-rollback --stack-name ${event.StackId}`,
    ]
  }
}

/** What to do after the first deploy of a stack was refused. The table depends on the checks, so there is none yet. */
const wayOut = (stackId: string): string =>
  `There is no table yet, so nothing has to be deleted. Correct this. If the stack has termination protection, turn it off: aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${stackId.split('/')[1]}. Then deploy again: docs/first-day.md#a-first-deploy-that-fails.`

async function foundFaults(event: Change): Promise<string[]> {
  const after = event.ResourceProperties
  const before = event.RequestType === 'Update' ? event.OldResourceProperties : undefined
  if (before && before.Form !== after.Form) return [otherForm]
  try {
    return [
      ...(await changedKeyFaults(before, after)),
      ...(before ? issuerFaults(before, after) : []),
      ...(before ? leftTableFaults(before, after) : []),
      ...(await importedKeyFaults(after.ImportedKeys)),
      ...(after.Signers ? await signerFaults(after.Signers) : []),
      ...(await tableFaults(after.RestoredTable)),
      ...(await secretFaults(after)),
      ...(await accountFaults(before?.Needs ?? noNeeds, after.Needs, event.StackId)),
    ]
  } catch (error) {
    return [`The checks of the deployment failed with ${described(error)}`]
  }
}

/** CloudFormation would make a function in a nested stack while there is one with its name in the root. */
const otherForm =
  'The stack was made by a version that divided it into nested stacks differently, and cannot be updated to this one: deploy a commit of before, or remove the stack and make it again with its data (docs/changes.md#making-a-removed-stack-again).'

const described = (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`

/** CloudFormation permits few of these calls in a second. With the SDK's pauses, these attempts take up to half a minute. */
const statusAttempts = 6

/** The status of a stack, which alone tells a roll-back of CloudFormation from an update. Rejects with its error. */
async function statusOf(stackId: string): Promise<string> {
  const client = new CloudFormationClient({ ...clientOptions(), maxAttempts: statusAttempts })
  const { Stacks } = await whenPermitted(() =>
    client.send(new DescribeStacksCommand({ StackName: stackId })),
  )
  return Stacks?.[0]?.StackStatus ?? ''
}
