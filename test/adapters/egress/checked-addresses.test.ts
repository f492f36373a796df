import { describe, expect, test, vi } from 'vitest'
import { type HostLookup, isPublicAddress } from '../../../lib/adapters/egress/checked-addresses.ts'
import { httpsWebhookEndpoints } from '../../../lib/adapters/egress/webhook-endpoints.ts'
import {
  answered,
  authority,
  countedRequests,
  expectNotCalled,
  finding,
  httpsEndpoint,
  messageTo,
  outcomeAt,
  tcpEndpoint,
} from './endpoint-fixture.ts'

const notPublic = { failure: 'address_not_public' }

const accepting = () => httpsEndpoint((_request, response) => response.writeHead(204).end())

/** The addresses of a machine, of its network and of its cloud, and other forms and translations of them. */
const privateAddresses = [
  ...['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '0.0.0.0', '0.0.0.1'],
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1.1'],
  ...['169.254.169.254', '169.254.170.2', '169.254.169.253', '169.254.100.5', '169.254.0.1'],
  ...['100.64.0.1', '100.100.100.200', '100.127.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1'],
  ...['198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  ...['255.255.255.255', '192.88.99.1'],
  ...['::', '::1', '::2', '::127.0.0.1', '::7f00:1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'],
  ...['::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:1', '::FFFF:127.0.0.1', '::ffff:0.0.0.0'],
  ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:10.0.0.1', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1'],
  ...['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001::1', '2001:0:7f00:1::', '2001:db8::1'],
  ...['fc00::1', 'fd00::1', 'fd00:ec2::254', 'fd00:ec2::23', 'fdff:ffff::1'],
  ...['fe80::1', 'fe80::1%lo', 'fe80::1%1', '::1%lo', 'febf::1', 'fec0::1', 'ff02::1', 'ff05::1'],
  ...['100::1', '3fff::1', '5f00::1', '4000::1'],
  ...['0.1.2.3', '192.0.0.170', '192.31.196.1', '192.52.193.1', '192.175.48.1', '198.19.255.255'],
  ...['64:ff9b::8.8.8.8', '64:ff9b:1::1', '100:0:0:1::1', '200::1', '2001:2::1', '2001:3::1'],
  ...['2001:4:112::1', '2001:10::1', '2001:20::1', '2002:808:808::', '2620:4f:8000::1'],
  ...['fe80::1%eth0'],
]

/** What is no address: a resolver answers none of them, and readers of addresses disagree about some. */
const noAddresses = [
  ...['127.1', '127.0.1', '0x7f.1', '0x7f000001', '2130706433', '017700000001', '0177.0.0.1'],
  ...['010.8.8.8', '8.8.8.08', '08.8.8.8', '8.8', '134744072', '8.8.8.8.', '8.8.8.8/32'],
  ...['', ' ', ' 8.8.8.8', '8.8.8.8 ', '8.8.8.8\n', 'localhost', 'hooks.example', '[::1]'],
  ...['[2606:4700::1111]', '8.8.8.8:443', '127.0.0.1\u0000', '１２７.0.0.1'],
  ...['1.2.3.4.5', 'hooks.example.com'],
]

describe('D120: an address that is not public', () => {
  const judged = { isPermitted: isPublicAddress }

  test.each([...privateAddresses, ...noAddresses])('%j is not called', async (address) => {
    const lists = [[address], [address, '8.8.8.8'], ['8.8.8.8', '2606:4700::1111', address]]
    for (const list of lists) {
      const lookup = finding(...list)
      await expectNotCalled('https://hooks.example', { lookup, ...judged })
      expect(lookup.mock.calls).toEqual([['hooks.example']])
    }
  })

  test('is not called either after many that are', async () => {
    const lookup = finding(...Array.from({ length: 50 }, () => '8.8.8.8'), '127.0.0.1')
    await expectNotCalled('https://hooks.example', { lookup, ...judged })
  })

  test.each([
    ...['127.0.0.1', '0x7f.1', '0x7f000001', '2130706433', '017700000001', '0177.0.0.1', '127.1'],
    ...['0', '0.0.0.0', '169.254.169.254', '0xa9fea9fe', '10.0.0.1', '１２７.0.0.1'],
    '127。0。0。1',
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[fd00::1]'],
    ...['[0:0:0:0:0:0:0:1]', '[fe80::1]', '[2002:7f00:1::]'],
  ])('is not called as the host %s', async (host) => {
    for (const permitsLoopback of [false, true]) {
      const lookup = finding('8.8.8.8')
      await expectNotCalled(`https://${host}`, { lookup, permitsLoopback, ...judged })
      expect(lookup).not.toHaveBeenCalled()
    }
  })

  test('is what the system finds for localhost', async () => {
    const endpoint = await tcpEndpoint()
    const endpoints = httpsWebhookEndpoints({ ca: authority })
    const message = messageTo(`https://localhost:${endpoint.port}/`)
    expect(await endpoints.send(message, { answerBytes: 0 })).toMatchObject(notPublic)
    expect(endpoint.connections).toEqual([])
  })

  test.each(['ftp:', 'ws:', 'wss:', 'file:', 'data:', 'http:'])(
    'is what a URL with %s has',
    async (scheme) => {
      const requests = countedRequests()
      expect(await outcomeAt(`${scheme}//hooks.example/`)).toEqual(notPublic)
      expect(requests.count).toBe(0)
    },
  )
})

describe('D120: the host of a webhook', () => {
  test.each<[string, HostLookup]>([
    ['none', async () => []],
    ['an error', async () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))],
  ])('is not found: %s', async (_, lookup) => {
    const requests = countedRequests()
    expect(await outcomeAt(443, { lookup })).toEqual({ failure: 'host_not_found' })
    expect(requests.count).toBe(0)
  })

  test('is not found by the system', async () => {
    const attempt = httpsWebhookEndpoints().send(messageTo('https://hooks.invalid/'), {
      answerBytes: 0,
    })
    expect(await attempt).toMatchObject({ failure: 'host_not_found' })
  })

  test.each(['hooks.example', 'localhost'])(
    'is looked up once for each attempt, whatever it leads to later: %s',
    async (host) => {
      const { port, connections } = await accepting()
      let turn = 0
      const lookup = vi.fn<HostLookup>(async () => {
        turn += 1
        return [{ address: turn % 2 === 1 ? '127.0.0.1' : '127.0.0.2' }]
      })
      const url = `https://${host}:${port}/`
      expect(await outcomeAt(url, { lookup })).toEqual(answered(204))
      expect(lookup.mock.calls).toEqual([[host]])
      expect(await outcomeAt(url, { lookup })).toEqual(notPublic)
      expect(lookup).toHaveBeenCalledTimes(2)
      expect(connections).toHaveLength(1)
    },
  )

  test('has several addresses: the next is called if one refuses', async () => {
    const { port, connections } = await accepting()
    const options = { lookup: finding('::1', '127.0.0.1'), isPermitted: () => true }
    expect(await outcomeAt(port, options)).toEqual(answered(204))
    expect(connections).toHaveLength(1)
  })

  test('has more than four addresses: the others are not called', async () => {
    const { port, connections } = await accepting()
    const lookup = finding('::1', '::1', '::1', '::1', '127.0.0.1')
    const options = { lookup, isPermitted: () => true }
    expect(await outcomeAt(port, options)).toEqual({ failure: 'connection_failed' })
    expect(connections).toEqual([])
  })
})

test.each([
  ...['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1'],
  ...['198.17.255.255', '198.20.0.1', '::ffff:8.8.8.8', '2001:4860:4860::8888'],
  ...['2606:4700::1111', '2a00::1'],
])('D120: a webhook can be sent to %s', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})
