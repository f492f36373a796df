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
  if (isMapped(groups)) return groups.slice(6).flatMap(bytesOf).join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight groups of an IPv6 address (RFC 4291 section 2.2). */
function groupsOf(address: string): number[] {
  const [start = [], end] = address.split('::').map(numbersIn)
  if (!end) return start
  return [...start, ...Array<number>(8 - start.length - end.length).fill(0), ...end]
}

const numbersIn = (text: string): number[] =>
  text === '' ? [] : text.split(':').flatMap((group) => (isIPv4(group) ? pairs(group) : hex(group)))

const hex = (group: string): number[] => [Number.parseInt(group, 16)]

/** The two groups that the last 32 bits of an IPv6 address form, if they are written as an IPv4 address. */
function pairs(ipv4: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

/** Whether the address is an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2). */
const isMapped = (groups: readonly number[]): boolean =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff

const bytesOf = (group: number): number[] => [group >> 8, group & 0xff]
