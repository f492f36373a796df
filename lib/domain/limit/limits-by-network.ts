import type { Limit } from './limit.ts'

/** What a network can spend. */
export interface NetworkLimits {
  network: string
  limits: readonly Limit[]
}

/** How many times the limits of a `/64` a `/48` has. */
const widerShare = 10

const narrow = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/

/**
 * Whose limits a caller in a network spends (D54): those of the network, and of the `/48` around a `/64` of IPv6, which a provider
 * can give to one customer, ten times as many (D140).
 */
export function limitsByNetwork(network: string, limits: readonly Limit[]): NetworkLimits[] {
  const [, groups] = narrow.exec(network) ?? []
  if (groups === undefined) return [{ network, limits }]
  const wider = limits.map((limit) => ({ ...limit, count: limit.count * widerShare }))
  return [
    { network, limits },
    { network: `${groups}:/48`, limits: wider },
  ]
}
