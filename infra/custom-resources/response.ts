import type { CloudFormationCustomResourceEvent } from 'aws-lambda'

/** CloudFormation accepts a response of up to 4,096 bytes. */
const maxReasonLength = 2_000

/** Tells CloudFormation the result: a failure if there are faults. Other resources can refer to the attributes. */
export async function respond(
  event: Pick<
    CloudFormationCustomResourceEvent,
    'ResponseURL' | 'StackId' | 'RequestId' | 'LogicalResourceId'
  >,
  physicalId: string,
  faults: readonly string[],
  attributes: object = {},
): Promise<void> {
  const { ResponseURL, StackId, RequestId, LogicalResourceId } = event
  const response = await fetch(ResponseURL, {
    method: 'PUT',
    // The signature of the URL covers an empty content type.
    headers: { 'content-type': '' },
    body: JSON.stringify({
      Status: faults.length > 0 ? 'FAILED' : 'SUCCESS',
      Reason: faults.join(' ').slice(0, maxReasonLength),
      PhysicalResourceId: physicalId,
      StackId,
      RequestId,
      LogicalResourceId,
      Data: attributes,
    }),
  })
  if (!response.ok) throw new Error(`CloudFormation responded with ${response.status}`)
}
