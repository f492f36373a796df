import { describe, expect, test } from 'vitest'
import { maxWebhookUrlLength, parseWebhookUrl } from '../../../lib/domain/webhooks/webhook-url.ts'

/** The forms in which WHATWG's URL standard accepts an IPv4 address. */
function formsOf(address: string): string[] {
  const bytes = address.split('.').map(Number)
  const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const hex = (value: number) => `0x${value.toString(16)}`
  const octal = (value: number) => `0${value.toString(8)}`
  return [
    ...[address, `${number}`, hex(number), octal(number)],
    ...[bytes.map(hex).join('.'), bytes.map(octal).join('.'), `${hex(a)}.${b}.${octal(c)}.${d}`],
    ...[`${a}.${b}.${c * 256 + d}`, `${a}.${b * 65_536 + c * 256 + d}`, `${address}.`],
    ...[
      bytes
        .map((byte) =>
          String.fromCodePoint(...`${byte}`.split('').map((digit) => 0xff10 + Number(digit))),
        )
        .join('.'),
    ],
  ]
}

const addresses = [
  ...[
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
  ],
  ...['169.254.170.2', '100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '8.8.8.8'],
]

const hosts = [
  ...addresses.flatMap(formsOf),
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
  ],
  ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:4860:4860::8888]', '[::127.0.0.1]'],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.localhost.',
    'localhost.localdomain',
  ],
  ...['printer.local', 'PRINTER.Local', 'a.internal', 'ip-10-0-0-1.eu-central-1.compute.internal'],
  ...[
    'metadata.google.internal',
    'nas.lan',
    'router.home',
    'router.home.arpa',
    'a.corp',
    'a.intranet',
  ],
  ...['intranet', 'host', 'a.onion', 'a.test', 'a.invalid', 'a.private', 'a.localdomain', 'a.alt'],
  ...['example.com.', 'a..example.com', '.example.com', '1.2.3', '1', '0x7f', 'a.mail'],
  ...['ｌｏｃａｌｈｏｓｔ', 'a。localhost', 'a．internal', 'ⓛocalhost', 'printer.ˡocal'],
]

const rules = { ownHosts: ['api.example.com'], permitsLoopback: false }

describe('D120: the URL of a webhook', () => {
  test('is refused in more than 300 forms of hosts that are not public', () => {
    expect(2 * new Set(hosts).size).toBeGreaterThan(300)
  })

  test.each([...new Set(hosts)])('is not one of the host %s', (host) => {
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
