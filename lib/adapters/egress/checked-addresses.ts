import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { AttemptFailure } from '../../domain/webhooks/webhook.ts'

/** Asks once for the addresses of a host. */
export type HostLookup = (hostname: string) => Promise<readonly { address: string }[]>

/** An address that was judged, in the form in which a socket takes it. */
export interface CheckedAddress {
  address: string
  family: number
}

/** How the addresses of a host are found and judged (D120). */
export interface AddressRules {
  /** Whether `http` on 127.0.0.1 is called, too. */
  permitsLoopback: boolean
  lookup: HostLookup
  isPermitted: (address: string) => boolean
}

/** The most addresses of a host that an attempt calls one after another: a name must not make it call a whole network. */
const maxAddresses = 4

/** Asks the resolver of the machine. IPv4 comes first, because functions have no IPv6 outside of a network of their own. */
export const systemLookup: HostLookup = (hostname) =>
  lookup(hostname, { all: true, order: 'ipv4first' })

/** The host of a URL as sockets and certificates write it: an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/**
 * The addresses to which an attempt may connect, after at most one lookup, or why there are none. One address that is not permitted
 * rules out all of them (D120).
 */
export async function checkedAddresses(
  url: URL,
  { permitsLoopback, lookup, isPermitted }: AddressRules,
): Promise<CheckedAddress[] | AttemptFailure> {
  const host = hostOf(url)
  if (url.protocol !== 'https:') {
    const isLoopback = url.protocol === 'http:' && host === '127.0.0.1'
    return permitsLoopback && isLoopback ? [checked(host)] : 'address_not_public'
  }
  const addresses = isIP(host) === 0 ? await addressesOf(host, lookup) : [host]
  if (addresses.length === 0) return 'host_not_found'
  // Other forms of addresses, such as numbers with leading zeros, mean different addresses to different readers.
  const arePermitted = addresses.every((address) => isIP(address) !== 0 && isPermitted(address))
  return arePermitted ? addresses.slice(0, maxAddresses).map(checked) : 'address_not_public'
}

const checked = (address: string): CheckedAddress => ({ address, family: isIP(address) })

async function addressesOf(host: string, lookup: HostLookup): Promise<string[]> {
  try {
    const found = await lookup(host)
    return found.map(({ address }) => address)
  } catch {
    return []
  }
}

/**
 * Whether an address is one that anybody on the internet can reach: unicast, and of no network that is private, special, or of the
 * machine itself. An IPv4 address in an IPv6 address is that IPv4 address, or none: translators (NAT64, 6to4, Teredo) could lead to
 * private networks, so their addresses are not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // IANA has given out addresses from 2000::/3 only.
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

const globalUnicast = ipaddr.parseCIDR('2000::/3')
