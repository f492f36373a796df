import { isClockSkewError } from '@smithy/core/retry'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import type { DownstreamService } from '../../observability/service-times.ts'
import { awsSettings } from '../../settings/resources.ts'
import type { AwsCommand } from './aws-command.ts'
import { exchangeWith } from './aws-exchange.ts'
import { signerOf } from './aws-signer.ts'
import { documentOf, type JsonService, requestOf, ServiceError } from './json-protocol.ts'

export interface AwsService extends JsonService {
  /** What the `reason` of a failure calls it. */
  name: string
  /** Its name in signatures, which is also the first label of its host names. */
  signingName: string
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

/** The beginnings of the Regions of each partition of AWS but the first, and the ends of its host names. */
const suffixes = {
  'cn-': 'amazonaws.com.cn',
  'eusc-': 'amazonaws.eu',
  'us-iso-': 'c2s.ic.gov',
  'us-isob-': 'sc2s.sgov.gov',
  'eu-isoe-': 'cloud.adc-e.uk',
  'us-isof-': 'csp.hci.ic.gov',
}

/** The endpoint of a service in a Region: neither the one for FIPS nor the one of the dual stack. */
export function awsEndpoint(hostLabel: string, region: string): URL {
  const partition = Object.entries(suffixes).find(([beginning]) => region.startsWith(beginning))
  return new URL(`https://${hostLabel}.${region}.${partition?.[1] ?? 'amazonaws.com'}`)
}
