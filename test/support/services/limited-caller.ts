import { deploymentLimits } from '@player-nfts/local/deployment-limits'
import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import type { OperationId } from '../../../functions/operations.ts'
import { startFaultProxy } from '../proxies/fault-proxy.ts'
import type { Sent } from '../requests/client.ts'
import { invokeFunction } from '../requests/invoke-function.ts'
import { atFileEnd } from '../vitest/at-file-end.ts'
import { startContainers, withStillClock } from './containers.ts'
import { type CountedService, countsIn, messagesIn } from './counted-service.ts'

/** Containers of all functions with the limits of a deployment, and what one caller spends in them. */
export type LimitedCaller = Awaited<ReturnType<typeof startLimitedCaller>>

/** The secret with which the requests of tests name their source address, as CloudFront does (D54). */
export const edgeSecret = 'the secret of the distribution'

/** Headers that give a request this source address. */
export const from = (address: string) => ({
  headers: { 'x-origin-secret': edgeSecret, 'cloudfront-viewer-address': `${address}:46532` },
})

/**
 * Starts containers of all functions, whose clock stands still at `now`, in milliseconds since 1970, so that no
 * limit is paid back while a test runs. They use the data of the service. Ends with the test file.
 */
export async function startLimitedCaller(service: CountedService, now: number, containers = 1) {
  const counting = async (target: string) => await startFaultProxy({ target }, atFileEnd)
  const aws = await counting(service.stack.aws.endpoint ?? '')
  const indexer = await counting(service.indexerUrl)
  const variables = {
    ...deploymentLimits,
    AWS_ENDPOINT_URL: aws.url,
    INDEXER_URL: indexer.url,
    EDGE_SECRETS: edgeSecret,
  }
  const hosts = Array.from({ length: containers }, () => {
    return startContainers(withStillClock(service.functionsWith(variables), now))
  })
  let calls = 0
  const requests = () =>
    [...aws.requests, ...indexer.requests].filter(({ attempt }) => attempt === 1)
  return {
    /** Calls an operation in the next container. */
    async call(id: OperationId, sent: Sent) {
      const host = hosts[calls % hosts.length] as LambdaHost
      calls += 1
      return await invokeFunction(host, id, sent)
    },
    /** Calls a function in the first container. */
    invoke: (...args: Parameters<LambdaHost['invoke']>) => (hosts[0] as LambdaHost).invoke(...args),
    /** The requests to AWS and to the indexer of these containers so far. */
    counts: () => countsIn(requests()),
    /** The messages that they have sent to the queue so far. */
    messages: () => messagesIn(requests()),
  }
}
