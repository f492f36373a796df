import { describe, expect, test } from 'vitest'
import { maxWebhookUrlLength, parseWebhookUrl } from '../../../lib/domain/webhooks/webhook-url.ts'

/** Hosts that are not public: addresses, also in the other notations of WHATWG's URL standard, and names. */
const hosts = [
  ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '0.0.0.0', '8.8.8.8', '127.0.0.1.', '127.1'],
  ...['2130706433', '0x7f000001', '017700000001', '0x7f.0.00.0x1', '127.65537', '１２７.０.０.１'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[fe80::1]', '[fd00:ec2::254]', '[2001:4860::8888]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.localhost.', 'intranet', 'host'],
  ...['printer.local', 'PRINTER.Local', 'localhost.localdomain', 'router.home', 'router.home.arpa'],
  ...['metadata.google.internal', 'nas.lan', 'a.corp', 'a.intranet', 'a.onion', 'a.test', 'a.mail'],
  ...['a.invalid', 'a.private', 'a.alt', 'example.com.', 'a..example.com', '.example.com', '1.2.3'],
  ...['ｌｏｃａｌｈｏｓｔ', 'a。localhost', 'a．internal', 'ⓛocalhost', 'printer.ˡocal'],
]

const rules = { ownHosts: ['api.example.com'], permitsLoopback: false }

describe('D120: the URL of a webhook', () => {
  test.each(hosts)('is not one of the host %s', (host) => {
    for (const url of [`https://${host}/`, `https://${host}:8443/hook`]) {
      expect(parseWebhookUrl(url, rules)).toEqual({
        fault: expect.stringMatching(/^(host_not_public|not_a_url)$/),
      })
    }
  })

  test.each([
    ['', 'not_a_url'],
    ['hooks.example.com', 'not_a_url'],
    ['//hooks.example.com', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https://exa mple.com', 'not_a_url'],
    ['https://hooks.example.com:99999/', 'not_a_url'],
    ['http://hooks.example.com/', 'not_https'],
    ['ftp://hooks.example.com/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['gopher://hooks.example.com:443/', 'not_https'],
    ['https://user@hooks.example.com/', 'has_credentials'],
    ['https://user:word@hooks.example.com/', 'has_credentials'],
    ['https://127.0.0.1@hooks.example.com/', 'has_credentials'],
    ['https://hooks.example.com\\@127.0.0.1/#', 'has_fragment'],
    ['https://hooks.example.com/#part', 'has_fragment'],
    ['https://hooks.example.com/#', 'has_fragment'],
    ['https://hooks.example.com:80/', 'port_not_permitted'],
    ['https://hooks.example.com:22/', 'port_not_permitted'],
    ['https://hooks.example.com:9001/', 'port_not_permitted'],
    ['https://hooks.example.com:8444/', 'port_not_permitted'],
    ['https://API.example.com/', 'own_host'],
    ['https://api.example.com:8443/x', 'own_host'],
    [`https://hooks.example.com/${'a'.repeat(maxWebhookUrlLength)}`, 'too_long'],
    [`https://hooks.example.com/${'ü'.repeat(100)}`, 'too_long'],
  ])('is not %s: %s', (text, fault) => {
    expect(parseWebhookUrl(text, rules)).toEqual({ fault })
  })

  test.each([
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['https://hooks.example.com:443/a?b=c', 'https://hooks.example.com/a?b=c'],
    ['https://hooks.example.com:8443/', 'https://hooks.example.com:8443/'],
    ['HTTPS://Hooks.Example.COM/A', 'https://hooks.example.com/A'],
    [' https://hooks.example.com/ ', 'https://hooks.example.com/'],
    ['https://böse.example.com/', 'https://xn--bse-sna.example.com/'],
    ['https://127.0.0.1.example.com/', 'https://127.0.0.1.example.com/'],
    ['https://a.example.com/../b', 'https://a.example.com/b'],
  ])('is %s', (text, href) => {
    expect(parseWebhookUrl(text, rules).url?.href).toBe(href)
  })
})

describe('D124: on a machine of a developer', () => {
  const loopback = { ...rules, permitsLoopback: true }

  test.each(['http://127.0.0.1:8080/events', 'http://127.0.0.1/', 'http://0x7f.1:80/'])(
    'a webhook can also be %s, and in no deployment',
    (text) => {
      expect(parseWebhookUrl(text, loopback).url?.hostname).toBe('127.0.0.1')
      expect(parseWebhookUrl(text, rules)).toEqual({ fault: 'not_https' })
    },
  )

  test.each([
    'http://127.0.0.2/',
    'http://localhost/',
    'http://[::1]/',
    'http://a@127.0.0.1/',
    'http://:b@127.0.0.1/',
    'http://127.0.0.1/#a',
    'http://games.example.com/',
    'https://127.0.0.1/',
    'ftp://127.0.0.1/',
  ])('it cannot be %s', (text) => {
    expect(parseWebhookUrl(text, loopback).fault).toBeDefined()
  })
})
