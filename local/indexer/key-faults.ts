import { ApiError } from './api-error.ts'
import type { Network } from './world.ts'

/** Why Alchemy does not serve a key, with its statuses and texts as its documentation and its users have them. */
const faults = {
  unknown: () => new ApiError(401, 'Must be authenticated!'),
  inactive: () => new ApiError(403, 'App is inactive. Please create a new app.'),
  'network not enabled': (network: Network) =>
    new ApiError(403, `${network.toUpperCase().replace('-', '_')} is not enabled for this app.`),
  'month used up': () => new ApiError(403, 'Monthly capacity limit exceeded.'),
  'too fast': () =>
    new ApiError(429, 'Your app has exceeded its compute units per second capacity.'),
  broken: () => new ApiError(502, 'Bad gateway'),
}

/** A reason for which a key is not served. */
export type KeyFault = keyof typeof faults

/** The failure of a call with such a key. */
export const keyFaultError = (fault: KeyFault, network: Network): ApiError => faults[fault](network)
