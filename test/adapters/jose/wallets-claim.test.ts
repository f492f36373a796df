import { describe, expect, test } from 'vitest'
import { walletsIn } from '../../../lib/adapters/jose/wallets-claim.ts'
import { InvalidUserJwt } from '../../../lib/domain/credential-failures.ts'
import type { WalletsFrom } from '../../../lib/settings/login-claims.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'

const [a, b, c] = [addressOf(1), addressOf(2), addressOf(3)]
const mixed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
/** The same address, with a wrong checksum. */
const misspelt = mixed.replace('aAeb', 'aaeb')
const solana = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'

/** The rule that the value of the claim `w` violates. */
function ruleOf(value: unknown, from: Partial<WalletsFrom> = {}): string {
  try {
    return `accepted: ${JSON.stringify(walletsIn(value, { claim: 'w', ...from }))}`
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidUserJwt)
    return (error as Error).message.replace(/^The claim w of the user JWT (.*)\.$/, '$1')
  }
}

const read = (value: unknown, from: Partial<WalletsFrom> = {}) =>
  walletsIn(value, { claim: 'w', ...from })

const field = { addressField: 'address' }
const where = { ...field, where: { type: 'wallet', chain_type: 'ethereum' } }
const entry = (address: unknown, more: object = {}) => ({
  ...{ address, type: 'wallet', chain_type: 'ethereum' },
  ...more,
})

describe('D92: wallets in every shape', () => {
  test.each<[string, unknown, Partial<WalletsFrom>, string[], number]>([
    ['a list of texts', [a, b, a], {}, [a, b], 0],
    ['an empty list', [], {}, [], 0],
    ['one text', a, {}, [a], 0],
    ['one text with a checksum', mixed, {}, [mixed.toLowerCase()], 0],
    ['JSON as text of a list', JSON.stringify([a, b]), {}, [a, b], 0],
    ['JSON as text of a text', JSON.stringify(a), {}, [a], 0],
    ['JSON as text with space', `[ "${a}" ]\n`, {}, [a], 0],
    ['one object', entry(a), field, [a], 0],
    ['a list of objects', [entry(a), entry(b)], field, [a, b], 0],
    ['JSON as text of objects', JSON.stringify([entry(a)]), field, [a], 0],
    ['JSON as text of an object', JSON.stringify(entry(a)), field, [a], 0],
    ['a path to the address', [{ at: { x: a } }], { addressField: 'at.x' }, [a], 0],
    ['texts beside objects', [entry(a), b], field, [a, b], 0],
    ['texts of other chains', [a, solana, 'neo@studio.example', ''], {}, [a], 3],
    ['no text of an EVM chain', [solana], {}, [], 1],
    [
      'objects that are kept and dropped',
      [entry(a), entry(solana, { chain_type: 'solana' }), { type: 'email', address: 'x@y.z' }],
      where,
      [a],
      2,
    ],
    ['no object that is kept', [entry(a, { type: 'Wallet' })], where, [], 1],
    ['entries without fields', [a, solana, 7, null, true, [entry(a)], []], where, [], 7],
    [
      'a list in the list, with a condition',
      [[a]],
      { addressField: '0', where: { length: 1 } },
      [],
      1,
    ],
    ['one text, with a condition', a, where, [], 1],
    ['one object, with a condition', entry(a, { type: 'email' }), where, [], 1],
    [
      'a condition with several values',
      [entry(a, { n: 1 }), entry(b, { n: true }), entry(c, { n: '1' })],
      { ...field, where: { n: [1, true] } },
      [a, b],
      1,
    ],
    [
      'a condition with a path',
      [entry(a, { is: { own: true } }), entry(b, { is: {} }), entry(c)],
      { ...field, where: { 'is.own': true } },
      [a],
      2,
    ],
    [
      'names of prototypes',
      [entry(a), entry(b, { constructor: 'x' }), JSON.parse('{"__proto__":{"type":"wallet"}}')],
      { ...field, where: { constructor: 'x' } },
      [b],
      2,
    ],
    [
      'an own field that is named __proto__',
      [JSON.parse(`{"__proto__":"x","address":"${a}"}`), entry(b)],
      { ...field, where: JSON.parse('{"__proto__":"x"}') },
      [a],
      1,
    ],
  ])('%s', (_, value, from, wallets, leftOut) => {
    expect(read(value, from)).toEqual({ wallets, leftOut })
  })

  const isNone = 'is not 0x and 40 hexadecimal digits'
  const list = (fault: string) => `must be a list of addresses: ${fault}`
  const wrongChecksum = list('0 has a wrong checksum')
  const noPrefix = 'must be an address, but does not begin with 0x'
  const noJson = 'begins as JSON, and must be well-formed JSON as a whole'
  const twice = 'must not have a name twice in an object of its JSON'

  test.each<[string, unknown, Partial<WalletsFrom>, string]>([
    ['nothing', undefined, {}, 'is missing'],
    ['null', null, {}, 'must be a list'],
    ['a number', 7, {}, 'must be a list'],
    ['a text without 0x', solana, {}, noPrefix],
    ['no text', '', {}, noPrefix],
    ['a text with space before it', ` ["${a}"]`, {}, noPrefix],
    ['a text that is no address', '0x12', {}, list(`0 ${isNone}`)],
    ['a CAIP-10 text that is no address', [a, 'eip155:1:0x12'], {}, list(`1 ${isNone}`)],
    ['a CAIP-10 text of another namespace', `cosmos:cosmoshub-3:${a}`, {}, noPrefix],
    ['a text with a wrong checksum', misspelt, {}, wrongChecksum],
    ['an entry that is no address', [a, `${b}0`], {}, list(`1 ${isNone}`)],
    ['an entry that is a number', [a, 7], {}, list(`1 ${isNone}`)],
    ['an entry that is a list', [[a]], {}, list(`0 ${isNone}`)],
    ['an entry with a wrong checksum', [misspelt], {}, wrongChecksum],
    [
      'an object without a field',
      [entry(a)],
      {},
      list('0 is an object, whose address is in no field of the settings'),
    ],
    [
      'an entry without an address',
      [entry(a), entry(undefined)],
      where,
      list('1 has no field address'),
    ],
    [
      'an entry with an inherited address',
      [entry(a)],
      { addressField: 'toString' },
      list('0 has no field toString'),
    ],
    ['an entry with another address', [entry(solana)], where, list(`0 ${isNone}`)],
    ['an entry with an address that is no text', [entry([a])], where, list(`0 ${isNone}`)],
    ['an address with a wrong checksum', [entry(misspelt)], where, wrongChecksum],
    ['JSON that is cut', `["${a}"`, {}, noJson],
    ['JSON with more behind it', `["${a}"] ["${b}"]`, {}, noJson],
    ['JSON with a comma at its end', `["${a}",]`, {}, noJson],
    ['a name twice', `[{"address":"${a}","address":"${b}"}]`, field, twice],
    [
      'a name twice, written in two ways',
      `{"address":"${a}","\\u0061ddress":"${b}"}`,
      field,
      twice,
    ],
    ['a name twice in an entry that would be dropped', '[{"x":{"y":1,"y":2}}]', where, twice],
    ['JSON in JSON', JSON.stringify(JSON.stringify([a])), {}, noPrefix],
    ['JSON in a list', [JSON.stringify([a]), '0x'], {}, list(`1 ${isNone}`)],
    ['JSON of a number in a list', '[7]', {}, list(`0 ${isNone}`)],
  ])('%s is refused in its own words', (_, value, from, rule) => {
    expect(ruleOf(value, from)).toBe(rule)
  })

  test.each<[string, unknown, Partial<WalletsFrom>, string[], number]>([
    ['a list', [`eip155:137:${a}`, `eip155:56:${b}`], {}, [a, b], 0],
    ['equal addresses', [a, `eip155:1:${a}`, `eip155:137:${a}`], {}, [a], 0],
    ['a checksum', [`eip155:1:${mixed}`], {}, [mixed.toLowerCase()], 0],
    ['one text', `eip155:137:${a}`, {}, [a], 0],
    ['JSON as text', JSON.stringify([`eip155:137:${a}`]), {}, [a], 0],
    ['an object', [entry(`eip155:137:${a}`)], where, [a], 0],
    ['other namespaces', [`solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${solana}`], {}, [], 1],
    ['a namespace like it', [`xeip155:1:${a}`, `eip155:x:${a}`, `eip155:1:1:${a}`], {}, [], 3],
    ['no EVM address', [`eip155:1:${solana}`], {}, [], 1],
  ])('D136: CAIP-10, %s', (_, value, from, wallets, leftOut) => {
    expect(read(value, from)).toEqual({ wallets, leftOut })
  })

  const on = (id: number, ...addresses: string[]) => addresses.map((address) => `${address}:${id}`)
  const chains = ['POLYGON', 'BASE'] as const

  test.each<[string, unknown, Partial<WalletsFrom>, string[], number]>([
    ['an address', [a, solana, a], { chains }, [...on(137, a), ...on(8453, a)], 1],
    ['one chain', [a, b], { chains: ['BASE'] }, on(8453, a, b), 0],
    [
      'an object',
      [entry(a), entry(b, { type: 'email' })],
      { ...where, chains: ['BASE'] },
      on(8453, a),
      1,
    ],
    ['an account of CAIP-10', [`eip155:137:${a}`], { chains }, on(137, a), 0],
    [
      'an account of another chain',
      [`eip155:1:${a}`, b],
      { chains },
      [...on(137, b), ...on(8453, b)],
      1,
    ],
    ['another notation of a chain', [`eip155:0137:${a}`, `eip155:137.0:${a}`], { chains }, [], 2],
    [
      'an address and its account',
      [a, `eip155:137:${a}`],
      { chains },
      [...on(137, a), ...on(8453, a)],
      0,
    ],
  ])('D161: wallets that count on chains, %s', (_, value, from, wallets, leftOut) => {
    expect(read(value, from)).toEqual({ wallets, leftOut })
  })

  test('D161: an account that counts on no chain of the list must be an address, and addresses are counted as without a list', () => {
    expect(ruleOf([`eip155:1:${misspelt}`], { chains })).toBe(wrongChecksum)
    const addresses = Array.from({ length: 21 }, (_, n) => addressOf(n))
    expect(read(addresses.slice(1), { chains }).wallets).toHaveLength(40)
    expect(ruleOf(addresses, { chains })).toBe('must have at most 20 addresses')
  })

  test('20 distinct addresses at most, counted after the condition, of 1,000 entries', () => {
    const entries = (count: number) => Array.from({ length: count }, (_, n) => addressOf(n % 20))
    expect(read(entries(1_000)).wallets).toHaveLength(20)
    expect(ruleOf(entries(1_001))).toBe('must have at most 1000 entries')
    const others = Array.from({ length: 980 }, (_, n) => entry(addressOf(n), { type: 'other' }))
    const kept = (count: number) => Array.from({ length: count }, (_, n) => entry(addressOf(n)))
    expect(read([...others, ...kept(20)], where)).toMatchObject({ leftOut: 980 })
    expect(ruleOf([...others.slice(1), ...kept(21)], where)).toBe('must have at most 20 addresses')
  })

  test('a text that is nested 1,000 deep, or has 1 MB and 10,000 entries, is read to its end', () => {
    const deep = `${'['.repeat(1_000)}"${a}"${']'.repeat(1_000)}`
    expect(ruleOf(deep)).toBe(list(`0 ${isNone}`))
    expect(
      read(`[${deep},{"address":"${a}","type":"wallet","chain_type":"ethereum"}]`, where),
    ).toEqual({ wallets: [a], leftOut: 1 })
    const many = JSON.stringify(
      Array.from({ length: 10_000 }, (_, n) => entry(addressOf(n), { id: `${n}` })),
    )
    expect(many.length).toBeGreaterThan(1_000_000)
    expect(ruleOf(many, where)).toBe('must have at most 1000 entries')
    expect(ruleOf(`{"x":${many},"x":1}`, where)).toBe(twice)
  })
})
