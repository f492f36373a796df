import ipaddr from 'ipaddr.js'

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
