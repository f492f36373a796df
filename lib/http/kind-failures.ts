import { createHash } from 'node:crypto'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { problemsOf, type Route } from '../contract/route.ts'
import { downstreamCalls } from '../observability/downstream-calls.ts'
import { loginNetworks, type RequestMetrics } from '../observability/metrics.ts'
import type { Problem } from './problem.ts'
import type { SourceAddressOf } from './source-address.ts'

/** What the line of a request says for the alarms that are on when every request of a kind fails: 1 for a failure, else 0. */
type Count = (event: APIGatewayProxyEventV2, problem?: Problem) => RequestMetrics

/** The faults of a credential that a wrong setting, a wrong key set or a wrong table causes for every player. */
const faultsOfDeployment: ReadonlySet<unknown> = new Set([
  'algorithm',
  'audience',
  'issuer',
  'signature',
  'unknown_key',
])

/**
 * Returns what counts a request of a route by its kinds: a login, a read that needs the indexer, a call of a running game, and a
 * sign-in with a wallet. A request that neither succeeded nor failed for a reason of the deployment does not count (D138, D149).
 */
export function kindFailures(route: Route, sourceAddressOf: SourceAddressOf | undefined): Count {
  const { auth, player } = route
  const counts: Count[] = []
  if (auth === 'USER' && sourceAddressOf) {
    counts.push((event, problem) => loginFailures(event, sourceAddressOf(event), problem))
  }
  if (problemsOf(route).includes('indexer_unavailable')) counts.push(readFailures)
  if (isOfGame(route)) {
    counts.push(serverErrors)
    if (auth === 'PRODUCT' || player) counts.push(credentialFailures)
    if (isSignIn(route)) counts.push(signInFailures)
  }
  return (event, problem) => Object.assign({}, ...counts.map((count) => count(event, problem)))
}

/** Whether a running game needs the operation, and not a document of it that caches keep. */
const isOfGame = ({ shifted, maxAgeSeconds }: Route): boolean =>
  shifted === true && maxAgeSeconds === undefined

/** Whether the operation is one of sign-in that its limits count: by proofs of wallets, codes or tokens. */
const isSignIn = ({ needs, limits }: Route): boolean =>
  needs === 'walletSignIn' && limits !== undefined

/** A failure has its 1 by its status. */
const serverErrors: Count = (_, problem) => (problem ? {} : { serverErrorAnswers: 0 })

const credentialFailures: Count = (_, problem) => {
  if (!problem) return { credentialFailures: 0 }
  const isFailure = problem.status === 401 && faultsOfDeployment.has(problem.reason)
  return isFailure ? { credentialFailures: 1 } : {}
}

const signInFailures: Count = (_, problem) => {
  if (!problem) return { signInFailures: 0 }
  // A caller can cause that a smart account does not answer.
  const isOfService = problem.status >= 500 && problem.code !== 'chain_unavailable'
  return isOfService ? { signInFailures: 1 } : {}
}

/** A login counts in the bucket of its network. A failure of the service counts as a network of its own, whoever asks. */
function loginFailures(
  { requestContext }: APIGatewayProxyEventV2,
  network: string,
  problem?: Problem,
): RequestMetrics {
  if (!problem) return { [bucketOf(network)]: 0 }
  if (problem.status >= 500) return { [bucketOf(requestContext.requestId)]: 1 }
  return faultsOfDeployment.has(problem.reason) ? { [bucketOf(network)]: 1 } : {}
}

const bucketOf = (text: string) =>
  loginNetworks[(createHash('sha256').update(text).digest()[0] ?? 0) % loginNetworks.length] ??
  loginNetworks[0]

/**
 * Success without the indexer does not count, nor another failure: the indexer may not have been asked. Stale answers
 * are failures.
 */
function readFailures(_: APIGatewayProxyEventV2, problem?: Problem): RequestMetrics {
  const { indexerCalls = 0, indexerFailures = 0 } = downstreamCalls.counts()
  if (indexerFailures > 0 || problem?.code === 'indexer_unavailable')
    return { indexerRequestFailures: 1 }
  const isOtherFailure = problem !== undefined && problem.status >= 500
  return indexerCalls > 0 && !isOtherFailure ? { indexerRequestFailures: 0 } : {}
}
