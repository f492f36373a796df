import dns from 'node:dns'
import tls from 'node:tls'

const { lookup } = dns

/**
 * Lets this process reach the emulator with the URLs that the emulator returns: trusts its certificate, and
 * resolves names under `.localhost` to this machine (RFC 6761, section 6.3), which not every system resolver
 * does.
 */
export function reachEmulator(certificate: string): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate])
  dns.lookup = ((name: string, ...rest: [never, never]) =>
    lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest)) as typeof lookup
}
