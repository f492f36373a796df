import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { faults } from '../support/requests/schema-faults.ts'

const productRegistration = routes.registerProduct.body

const registration = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }
const registrationFaults = (fields: object) =>
  faults(productRegistration, { ...registration, ...fields })

const proof = { message: 'any', signature: '0x' }

const twoUnits = '𝌆'

describe('8: lengths', () => {
  test.each([
    ['name', 2, 100],
    ['companyName', 2, 100],
    ['description', 10, 2000],
    ['companyDescription', 10, 2000],
    ['website', 1, 2048],
    ['websiteLink', 1, 2048],
  ])('D4: %s has %i to %i code points, whatever their UTF-16 length', (field, least, most) => {
    const message = `must be ${least} to ${most} characters long`
    for (const letter of ['a', 'é', twoUnits]) {
      expect(registrationFaults({ [field]: letter.repeat(least) })).toEqual({})
      expect(registrationFaults({ [field]: letter.repeat(most) })).toEqual({})
      expect(registrationFaults({ [field]: letter.repeat(least - 1) })).toEqual({
        [field]: message,
      })
      expect(registrationFaults({ [field]: letter.repeat(most + 1) })).toEqual({ [field]: message })
    }
  })

  test('D8: contactEmail has 3 to 300 code points', () => {
    expect(registrationFaults({ contactEmail: `${twoUnits.repeat(298)}@b` })).toEqual({})
    expect(registrationFaults({ contactEmail: `${twoUnits.repeat(299)}@b` })).toEqual({
      contactEmail: 'must be 3 to 300 characters long',
    })
    expect(registrationFaults({ contactEmail: '@a' })).toHaveProperty('contactEmail')
  })

  test('D4: every invalid field is named, a lone surrogate included', () => {
    const fields = Object.keys(productRegistration.entries).filter((name) => name !== 'websiteLink')
    const bad = Object.fromEntries(fields.map((name) => [name, `${'a'.repeat(10)}@\ud83d`]))
    expect(Object.keys(registrationFaults(bad)).sort()).toEqual(fields.sort())
    expect(new Set(Object.values(registrationFaults(bad)))).toEqual(
      new Set(['must be well-formed Unicode (it has a lone surrogate)']),
    )
  })

  test.each(['   ', '\t\n', '\u00a0\u2003', '\u3000\ufeff'])('D4: %j is not a name', (blank) => {
    expect(registrationFaults({ name: blank, companyName: blank })).toEqual({
      name: 'must not be blank',
      companyName: 'must not be blank',
    })
  })
})

describe('D133: a name in which something is not seen is refused', () => {
  test.each([
    ['Zel\u200bda', 'U+200B'],
    ['exe.\u202egnp', 'U+202E'],
    ['Ember\u2066', 'U+2066'],
    ['Ember\u3164', 'U+3164'],
    ['a\u200db', 'U+200D'],
    ['\u3164\u0915\u094d\u200d\u0937', 'U+3164'],
    ['Ember\ufe0f', 'U+FE0F'],
    ['🏴\u{e0061}\u{e007f}', 'U+E0061'],
  ])('%j', (name, character) => {
    const message = `must not contain the character ${character}, which is invisible`
    expect(registrationFaults({ name })).toEqual({ name: message })
    expect(registrationFaults({ companyName: name })).toEqual({ companyName: message })
    expect(faults(routes.signIn.body, { ...proof, username: name })).toEqual({
      username: message,
    })
  })

  test.each([
    '\u{1f3f3}\u200d\u{1f308} \u2764\u200d\u{1f525}',
    '👩‍🚀 Crew',
    '❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇫🇷 👍🏽',
    'می\u200cخواهم',
    'क्\u200dष',
    'क्\u200cष',
    '灯台守',
    'Ember\u00a0Isles',
    'a\u2028b',
  ])('but %j is a name', (name) =>
    expect(registrationFaults({ name, companyName: name })).toEqual({}),
  )
})

describe('4.1 Register product', () => {
  test.each(['a@b', 'ä ö@ü', '"odd one"@[::1]', 'x'.repeat(298).concat('@b')])(
    'D8: %j is an e-mail address',
    (contactEmail) => expect(registrationFaults({ contactEmail })).toEqual({}),
  )

  test.each(['\n', '\r', '\t', '\0', '\u001b', '\u007f', '\u0085', '\u009f'])(
    'D53: the control character %j is in no name and no e-mail address, but in descriptions',
    (control) => {
      const message = 'must not contain control characters, such as line breaks'
      const bad = { name: `Em${control}ber`, companyName: `Kiln${control}` }
      expect(registrationFaults({ ...bad, contactEmail: `a${control}@b` })).toEqual({
        name: message,
        companyName: message,
        contactEmail: message,
      })
      const description = `A product with${control}two lines.`
      expect(registrationFaults({ description, companyDescription: description })).toEqual({})
    },
  )

  test.each(['a@@b', 'a@b@c', '@ab', 'ab@', 'abc', '@@@'])(
    'D8: %j is not an e-mail address',
    (contactEmail) => {
      const message = 'must have something on each side of a single @'
      expect(registrationFaults({ contactEmail })).toEqual({ contactEmail: message })
    },
  )

  test.each([
    'https://example.com',
    'HTTP://EXAMPLE.COM/ä?b#c',
    'example.com:8080',
    'the corner shop',
    '例え.jp',
    'a/b:c',
  ])('D7: %j is a website', (website) => {
    expect(registrationFaults({ website })).toEqual({})
    expect(registrationFaults({ websiteLink: website })).toEqual({})
  })

  test.each([
    'ftp://example.com',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'http:',
    'https://',
    'http:example.com',
    'https://a b',
    'http://:80',
    ' ',
  ])('D7: %j is not a website', (website) => {
    expect(registrationFaults({ website })).toHaveProperty('website')
  })

  test('D7: website and websiteLink are one field', () => {
    const [website, other] = ['a.example', 'b.example']
    expect(registrationFaults({ website, websiteLink: website })).toEqual({})
    expect(registrationFaults({ website, websiteLink: other })).toEqual({
      websiteLink: 'is another name of website and must have the same value',
    })
    // Also when other fields are wrong (D2: all at once).
    expect(Object.keys(registrationFaults({ website, websiteLink: other, name: '' }))).toEqual([
      'name',
      'websiteLink',
    ])
  })

  test.each([null, 7, true, {}, ['Ember']])('D4: %j is not a string', (value) => {
    expect(registrationFaults({ name: value })).toEqual({ name: 'must be a string' })
  })
})

describe('D45: update a product', () => {
  const changes = (fields: object) => faults(routes.updateProduct.body, fields)

  test('D45: every field has the bounds of its registration', () => {
    const wrong = {
      name: 'x',
      description: 'short',
      contactEmail: 'nobody',
      companyName: ' \t ',
      companyDescription: 'x'.repeat(2_001),
      website: 'javascript:alert(1)',
      websiteLink: '',
      clientAccess: 'true',
    }
    expect(Object.keys(changes(wrong))).toEqual(Object.keys(wrong))
    expect(changes({})).toEqual({})
  })

  test('D45: null removes what is optional, and nothing else', () => {
    const fields = Object.keys(routes.updateProduct.body.entries)
    const refused = fields.filter((name) => Object.keys(changes({ [name]: null })).length > 0)
    expect(refused).toEqual([
      ...['name', 'contactEmail', 'companyName', 'clientAccess', 'signIn', 'signInDomains'],
    ])
  })
})

describe('D46: API keys', () => {
  test.each([
    [{ label: 'x' }, 'label'],
    [{ label: 'x'.repeat(101) }, 'label'],
    [{ label: undefined }, 'label'],
    [{ scope: 'ADMIN' }, 'scope'],
    [{ scope: undefined }, 'scope'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: '2099-01-01' }, 'expiresAt'],
    [{ expiresAt: '2099-13-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 4_070_908_800 }, 'expiresAt'],
  ])('D46: a key with %j is refused', (fields, name) => {
    const key = { label: 'Game servers', scope: 'READ', expiresAt: '2099-01-01T00:00:00Z' }
    expect(faults(routes.createKey.body, key)).toEqual({})
    expect(Object.keys(faults(routes.createKey.body, { ...key, ...fields }))).toEqual([name])
  })

  test('D46: an overlap has 0 to 2,592,000 seconds', () => {
    const said = (overlapSeconds: unknown) => faults(routes.rotateKey.body, { overlapSeconds })
    for (const seconds of [0, 2_592_000]) expect(said(seconds)).toEqual({})
    for (const seconds of [-1, 2_592_001, 1.5, '60']) {
      expect(Object.keys(said(seconds))).toEqual(['overlapSeconds'])
    }
  })
})
