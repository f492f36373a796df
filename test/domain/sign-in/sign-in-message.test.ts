import { describe, expect, test } from 'vitest'
import { toAddress } from '../../../lib/domain/nft/address.ts'
import { parseProductId } from '../../../lib/domain/product/product.ts'
import { requestIdOf, statements } from '../../../lib/domain/sign-in/purpose.ts'
import { readMessage, writeMessage } from '../../../lib/domain/sign-in/sign-in-message.ts'

const message = {
  domain: 'nfts.example:8443',
  address: toAddress('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'),
  statement: 'Sign in to Lanterns of Brindlewake.',
  chainId: 137,
  nonce: 'aB3dE6gH',
  issuedAt: Date.UTC(2026, 10, 26, 9, 30, 5, 7),
  requestId: 'product:0b5a7f34-5a0f-4b7e-9a27-0c2f0f3f7a11',
}

const text = `nfts.example:8443 wants you to sign in with your Ethereum account:
0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed

Sign in to Lanterns of Brindlewake.

URI: https://nfts.example:8443
Version: 1
Chain ID: 137
Nonce: aB3dE6gH
Issued At: 2026-11-26T09:30:05.007Z
Expiration Time: 2026-11-26T09:35:05.007Z
Request ID: product:0b5a7f34-5a0f-4b7e-9a27-0c2f0f3f7a11`

const lines = text.split('\n')
const moved = (from: number, to: number) => {
  const rest = lines.filter((_, index) => index !== from)
  return [...rest.slice(0, to), lines[from], ...rest.slice(to)].join('\n')
}

describe('D97: a message (ERC-4361)', () => {
  test('is written and read as the standard says', () => {
    expect(writeMessage(message)).toBe(text)
    expect(readMessage(text)).toEqual(message)
  })

  test('is read in one pass, whatever its length', () => {
    // From each character on, this would take a minute.
    expect(readMessage('a'.repeat(300_000))).toBeUndefined()
  })

  test.each(['localhost:3000', '127.0.0.1', '[::1]:8080'])('%s has no https', (domain) => {
    const output = writeMessage({ ...message, domain })
    expect(output).toContain(`\nURI: http://${domain}\n`)
    expect(readMessage(output)).toEqual({ ...message, domain })
  })

  test.each([
    ['of CRLF', text.replaceAll('\n', '\r\n')],
    ['with a CR in the statement', text.replace('Sign in', 'Sign\rin')],
    ['with a line more', `${text}\nResources:\n- https://nfts.example`],
    ['with a newline at the end', `${text}\n`],
    ['with a space at the end', `${text} `],
    ['with a byte order mark', `\ufeff${text}`],
    ['without its last line', lines.slice(0, -1).join('\n')],
    ['without a statement', text.replace('Sign in to Lanterns of Brindlewake.\n\n', '')],
    ['with a line twice', [...lines, lines.at(-1)].join('\n')],
    ['with lines in another order', moved(8, 6)],
    ['with the scheme', `https://${text}`],
    ['with userinfo', text.replace('nfts.example', 'nfts.example@evil.example')],
    ['with a path in the domain', text.replace('8443 wants', '8443/a wants')],
    ['with another host in its URI', text.replace('https://nfts', 'https://nft')],
    ['with http', text.replace('https://', 'http://')],
    ['of another version', text.replace('Version: 1', 'Version: 2')],
    ['with a chain id in another notation', text.replace('137', '0x89')],
    ['with a zero before the chain id', text.replace('137', '0137')],
    ['with a chain id that is no safe integer', text.replace('137', '9007199254740993')],
    ['with a time in another notation', text.replace('05.007Z', '05Z')],
    ['with a time in another zone', text.replace('05.007Z', '05.007+00:00')],
    ['with a day that does not exist', text.replaceAll('2026-11-26', '2026-02-30')],
    ['with another expiry', text.replace('35:05', '36:05')],
    ['with a wrong checksum', text.replace('0x5aA', '0x5AA')],
    ['with an address without checksum', text.replace(lines[1] ?? '', message.address)],
    [
      'with Not Before',
      text.replace('Request', `Not Before: ${new Date(0).toISOString()}\nRequest`),
    ],
    ['with a space in its Request ID', text.replace('product:', 'product: ')],
    ['that is empty', ''],
  ])('%s is not read', (_, other) => {
    expect(other).not.toBe(text)
    expect(readMessage(other)).toBeUndefined()
  })

  test('a look-alike in the domain is another domain', () => {
    const other = text.replaceAll('nfts.example', 'nfts.ex\u0430mple')
    expect(readMessage(other)?.domain).not.toBe(message.domain)
  })
})

describe('D97: a purpose', () => {
  const productId = parseProductId('0b5a7f34-5a0f-4b7e-9a27-0c2f0f3f7a11') as NonNullable<
    ReturnType<typeof parseProductId>
  >

  test.each([
    ['page', { kind: 'page' }],
    [`product:${productId}`, { kind: 'product', productId }],
    ['link:0', { kind: 'link', userId: 0 }],
    ['move:9007199254740991', { kind: 'move', userId: 2 ** 53 - 1 }],
    [`remove:7:${message.address}`, { kind: 'remove', userId: 7, wallet: message.address }],
  ] as const)('has the Request ID %s', (requestId, purpose) => {
    expect(requestIdOf(purpose)).toBe(requestId)
  })

  test.each([
    ['Lanterns of Brindlewake', 'Sign in to Lanterns of Brindlewake.'],
    ['Pokémon — Édition', 'Sign in to Pokemon Edition.'],
    ['a\nURI: https://evil.example', 'Sign in to a URI: https://evil.example.'],
    ['\u202eevil\u2066', 'Sign in to evil.'],
    ['灯台', 'Sign in to a game.'],
    ['x'.repeat(100), `Sign in to ${'x'.repeat(60)}.`],
  ])('names %j with the characters that a statement can have', (product, statement) => {
    expect(statements.product(product)).toBe(statement)
    const output = writeMessage({ ...message, statement })
    expect(readMessage(output)?.statement).toBe(statement)
  })

  test('names the user who gets a wallet, and not the one who has it', () => {
    expect(statements.move('tessaly')).toBe('Move this wallet from the user who has it to tessaly.')
    expect(statements.move('灯台')).toContain(' to another name.')
    expect(statements.link('tessaly')).toBe('Add this wallet to tessaly.')
  })

  test('D109: names the wallet that is removed, and its user', () => {
    const statement = statements.remove(message.address, 'tessaly')
    expect(statement).toBe(
      'Remove the wallet 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed from tessaly.',
    )
    expect(readMessage(writeMessage({ ...message, statement }))?.statement).toBe(statement)
  })
})
