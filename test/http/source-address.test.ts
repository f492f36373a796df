import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { describe, expect, test } from 'vitest'
import { sourceAddresses } from '../../lib/http/source-address.ts'

const secrets = ['the-secret', 'the-former-secret']
const seen = '192.0.2.1'

const addressOf = (headers: Record<string, string>, sourceIp = seen) =>
  sourceAddresses(secrets)({
    headers,
    requestContext: { http: { sourceIp } },
  } as unknown as APIGatewayProxyEventV2)

/** The address of a request that CloudFront has forwarded. */
const viewer = (address: string) =>
  addressOf({ 'x-origin-secret': 'the-secret', 'cloudfront-viewer-address': address })

describe('D54: the address of a caller', () => {
  test.each([
    ['198.51.100.10:46532', '198.51.100.10'],
    ['198.51.100.10', '198.51.100.10'],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348:46532', '2001:db8:85a3:8d3::/64'],
    ['2001:0DB8:85A3:08D3:1319:8a2e:0370:7348:443', '2001:db8:85a3:8d3::/64'],
    ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3:8d3::/64'],
    ['2001:db8:85a3:8d3::1:46532', '2001:db8:85a3:8d3::/64'],
    ['2001:db8::8a2e:370:7334:46532', '2001:db8:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1:46532', '0:0:0:0::/64'],
    ['[2001:db8:85a3:8d3::1]:46532', '2001:db8:85a3:8d3::/64'],
    ['[2001:db8:85a3:8d3::1]', '2001:db8:85a3:8d3::/64'],
    ['::ffff:198.51.100.10:46532', '198.51.100.10'],
    ['::ffff:198.51.100.10', '198.51.100.10'],
    ['::ffff:c633:640a:46532', '198.51.100.10'],
    ['64:ff9b::198.51.100.10:443', '64:ff9b:0:0::/64'],
  ])('%s beside the secret is %s', (address, network) => {
    expect(viewer(address)).toBe(network)
  })

  test('all addresses of an IPv6 network of 64 bits are one caller, and other networks are not', () => {
    const same = ['2001:db8:1:2::1:80', '2001:db8:1:2:ffff:ffff:ffff:ffff:65535', '2001:db8:1:2::9']
    expect(new Set(same.map(viewer))).toEqual(new Set(['2001:db8:1:2::/64']))
    expect(viewer('2001:db8:1:3::1:80')).toBe('2001:db8:1:3::/64')
  })

  test.each<[string, Record<string, string>]>([
    ['without the secret', {}],
    ['with another secret', { 'x-origin-secret': 'a-guess' }],
    ['with a part of the secret', { 'x-origin-secret': 'the-secre' }],
    ['with the secret twice', { 'x-origin-secret': 'the-secret,the-secret' }],
    ['with an empty secret', { 'x-origin-secret': '' }],
  ])('the header of the address is not believed %s', (_, headers) => {
    expect(addressOf({ ...headers, 'cloudfront-viewer-address': '198.51.100.10:1' })).toBe(seen)
  })

  test('every secret of the deployment is accepted, for the time of a change', () => {
    const headers = { 'cloudfront-viewer-address': '198.51.100.10:1' }
    for (const secret of secrets) {
      expect(addressOf({ ...headers, 'x-origin-secret': secret })).toBe('198.51.100.10')
    }
  })

  test('without an edge, nothing in a header is believed', () => {
    const headers = {
      'x-origin-secret': '',
      'cloudfront-viewer-address': '198.51.100.10:1',
      'x-forwarded-for': '198.51.100.10',
    }
    const event = { headers, requestContext: { http: { sourceIp: '2001:db8::7' } } }
    expect(sourceAddresses([])(event as unknown as APIGatewayProxyEventV2)).toBe(
      '2001:db8:0:0::/64',
    )
  })

  test.each(['', 'unknown', '198.51.100.300:80', '2001:db8:::1:80', '1:2:3', '198.51.100.10,x'])(
    'a value that is not an address is ignored: %j',
    (address) => {
      expect(viewer(address)).toBe(seen)
    },
  )

  test('callers without an address share one name', () => {
    expect(addressOf({}, '')).toBe('unknown')
    expect(addressOf({}, 'fe80::1%eth0')).toBe('unknown')
  })
})
