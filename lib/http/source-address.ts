import { createHash, timingSafeEqual } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { unknownNetwork } from '../domain/sign-in/asking-network.ts'

/** The header with which CloudFront proves that it has forwarded a request (D54). */
export const originSecretHeader = 'x-origin-secret'

/** The header in which CloudFront names the address and the port of the viewer. */
export const viewerAddressHeader = 'cloudfront-viewer-address'

/** Returns the address of the caller of a request for limits. */
export type SourceAddressOf = (event: APIGatewayProxyEventV2) => string

/**
 * The addresses of callers: an IPv4 address, or the /64 network of an IPv6 address, because
 * providers assign a whole network to each customer. The address is that of CloudFront-Viewer-Address if the
 * request has one of `secrets`, and otherwise the address that API Gateway has seen (D54). It is `unknown` if
 * neither is an address, so that all such callers share one limit.
 */
export const sourceAddresses =
  (secrets: readonly string[]): SourceAddressOf =>
  ({ headers, requestContext }) => {
    const viewer = isFromEdge(headers[originSecretHeader], secrets)
      ? viewerNetwork(headers[viewerAddressHeader])
      : undefined
    return viewer ?? networkOf(requestContext.http?.sourceIp ?? '') ?? unknownNetwork
  }

/** Compares digests, which have the same length, in constant time, with every secret. */
function isFromEdge(sent: string | undefined, secrets: readonly string[]): boolean {
  if (sent === undefined) return false
  const digest = sha256(sent)
  return secrets.map((secret) => timingSafeEqual(digest, sha256(secret))).includes(true)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** CloudFront writes `198.51.100.10:46532`, and IPv6 addresses without brackets: `2001:db8::1:46532`. */
function viewerNetwork(text = ''): string | undefined {
  const [, bracketed] = /^\[(.*)\](?::\d+)?$/.exec(text) ?? []
  return networkOf(bracketed ?? text.replace(/:\d{1,5}$/, '')) ?? networkOf(text)
}

/** Returns the IPv4 address, or the /64 network of an IPv6 address, in its one canonical form. */
function networkOf(address: string): string | undefined {
  if (isIPv4(address)) return address
  if (!isIPv6(address) || address.includes('%')) return undefined
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return isMapped
    ? groups.slice(6).flatMap(bytesOf).join('.')
    : `${groups.slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address (RFC 4291 section 2.2), in hexadecimal as URLs write them. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address}]`)
  const [start = [], end] = hostname.slice(1, -1).split('::').map(groupsIn)
  return end ? [...start, ...Array<string>(8 - start.length - end.length).fill('0'), ...end] : start
}

const groupsIn = (text: string): string[] => (text === '' ? [] : text.split(':'))

const bytesOf = (group: string): number[] => [...Buffer.from(group.padStart(4, '0'), 'hex')]
