import { deploymentOf } from './metrics.ts'

/** The fields of a log line that are about the invocation and not about its request. */
export interface Invocation {
  /** The id of the invocation, which the lines that Lambda itself writes have too. */
  lambdaRequestId: string
  functionName: string
  /** The number of the function's version, or `$LATEST`. */
  functionVersion: string
  deployment: string
  /** `true` in the first line of a container, otherwise absent. */
  coldStart?: true
}

let isCold = true

/** Describes the current invocation for its log line. `name` is the name of the function without the deployment. */
export function invocationOf(
  {
    awsRequestId,
    functionName,
    functionVersion,
  }: Record<'awsRequestId' | 'functionName' | 'functionVersion', string>,
  name: string,
): Invocation {
  const invocation: Invocation = {
    lambdaRequestId: awsRequestId,
    functionName,
    functionVersion,
    deployment: deploymentOf(functionName, name),
  }
  if (isCold) invocation.coldStart = true
  isCold = false
  return invocation
}
