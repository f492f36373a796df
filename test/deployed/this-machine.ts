import dns from 'node:dns'
import tls from 'node:tls'

const { lookup } = dns

/**
 * Lets this process reach the emulator under the very URLs that it hands out: its certificate is trusted
 * beside the usual ones, and names under `.localhost` are this machine, as RFC 6761 section 6.3 has it and
 * browsers do, but not every resolver that Node asks.
 */
export function reachEmulator(certificate: string): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate])
  dns.lookup = ((name: string, ...rest: [never, never]) =>
    lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest)) as typeof lookup
}
