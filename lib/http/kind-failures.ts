import { createHash } from 'node:crypto'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { Route } from '../contract/route.ts'
import { downstreamCalls } from '../observability/downstream-calls.ts'
import { type LoginFailures, loginNetworks } from '../observability/metrics.ts'
import type { Problem } from './problem.ts'
import type { SourceAddressOf } from './source-address.ts'

/** What the line of a request says for the alarms that are on when every request of a kind fails: 1 for a failure, else 0. */
export type KindFailures = LoginFailures & { indexerRequestFailures?: 0 | 1 }

/** The faults of a user JWT that a wrong setting, or a wrong key set, causes for every player. */
const faultsOfDeployment: ReadonlySet<unknown> = new Set([
  'algorithm',
  'audience',
  'issuer',
  'signature',
  'unknown_key',
])

/**
 * Returns what counts a request of a route by its kind: a login, or a read that needs the indexer. A request that neither
 * succeeded nor failed for a reason of the deployment does not count (D138).
 */
export function kindFailures(
  { auth, problems }: Route,
  sourceAddressOf: SourceAddressOf | undefined,
): (event: APIGatewayProxyEventV2, problem?: Problem) => KindFailures {
  if (auth === 'USER' && sourceAddressOf) {
    return (event, problem) => loginFailures(event, sourceAddressOf(event), problem)
  }
  return problems.includes('indexer_unavailable') ? (_, problem) => readFailures(problem) : noKind
}

const noKind = (): KindFailures => ({})

/** A login counts in the bucket of its network. A failure of the service counts as a network of its own, whoever asks. */
function loginFailures(
  { requestContext }: APIGatewayProxyEventV2,
  network: string,
  problem?: Problem,
): KindFailures {
  if (!problem) return { [bucketOf(network)]: 0 }
  if (problem.status >= 500) return { [bucketOf(requestContext.requestId)]: 1 }
  return faultsOfDeployment.has(problem.reason) ? { [bucketOf(network)]: 1 } : {}
}

const bucketOf = (text: string) =>
  loginNetworks[(createHash('sha256').update(text).digest()[0] ?? 0) % loginNetworks.length] ??
  loginNetworks[0]

/**
 * A read whose answer came without the indexer says nothing of it; one whose answer is stale is a failure. Any other failure of
 * the service says nothing either: the indexer may not have been asked.
 */
function readFailures(problem?: Problem): KindFailures {
  const { indexerCalls = 0, indexerFailures = 0 } = downstreamCalls.counts()
  if (indexerFailures > 0 || problem?.code === 'indexer_unavailable')
    return { indexerRequestFailures: 1 }
  const isOtherFailure = problem !== undefined && problem.status >= 500
  return indexerCalls > 0 && !isOtherFailure ? { indexerRequestFailures: 0 } : {}
}
