import { isClockSkewError } from '@smithy/core/retry'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import type { DownstreamService } from '../../observability/service-times.ts'
import { awsSettings } from '../../settings/resources.ts'
import type { AwsCommand } from './aws-command.ts'
import { awsEndpoint } from './aws-endpoint.ts'
import { exchangeWith } from './aws-exchange.ts'
import { signerOf } from './aws-signer.ts'
import { documentOf, type JsonService, requestOf, ServiceError } from './json-protocol.ts'

/** A service of AWS that the functions call. */
export interface AwsService extends JsonService {
  /** What the `reason` of a failure calls it. */
  name: string
  /** Its name in signatures, which is also the first label of its host names. */
  signingName: string
  /** What its calls are counted as. */
  counted: DownstreamService
}

/** The Region and credentials of calls, and an endpoint in place of that of the Region. */
export type AwsAccess = Pick<ReturnType<typeof awsSettings>, 'region' | 'credentials'> & {
  endpoint?: string | undefined
}

/**
 * Sends a command once. Throws a ServiceError for an error that the service answers, an error with the name TimeoutError, or
 * Node's error of a lost connection. Each attempt is counted in {@link downstreamCalls}, and none begins after the response of
 * the request that it belongs to (D38).
 */
export type Attempt = <Output extends object>(
  command: AwsCommand<object, Output>,
  place: AttemptPlace,
) => Promise<Output>

/** The place of an attempt among those of its call, which AWS is told. */
export interface AttemptPlace {
  callId: string
  /** 1 for the first one. */
  attempt: number
}

/** Whether an error names the time or the signature. */
const isSkew = (error: ServiceError): boolean =>
  isClockSkewError(error as Parameters<typeof isClockSkewError>[0])

/** Attempts at a service, by default with the access of the settings, which are those that Lambda provides. */
export function attemptsAt(service: AwsService, access: AwsAccess = awsSettings()): Attempt {
  const { signingName, counted } = service
  const { region, credentials } = access
  const endpoint = access.endpoint ? new URL(access.endpoint) : awsEndpoint(signingName, region)
  const exchange = exchangeWith(endpoint)
  const signer = signerOf(signingName, region, endpoint, credentials)

  return async (command, { callId, attempt }) => {
    const { headers, body } = requestOf(service, command.operation, command.document())
    const place = { 'amz-sdk-invocation-id': callId, 'amz-sdk-request': `attempt=${attempt}` }
    const request = { headers: { ...headers, ...place }, body }
    const signal = downstreamCalls.begin(counted)
    const signed = { headers: signer.headersOf(request), body }
    const response = await exchange(signed, signal)
    try {
      return command.outputOf(documentOf(service, response))
    } catch (error) {
      const output = command.outputAfter(error)
      if (output) return output
      if (error instanceof ServiceError && isSkew(error)) {
        error.$metadata.clockSkewCorrected = signer.correctClock(response.headers.date)
      }
      throw error
    }
  }
}
