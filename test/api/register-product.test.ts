import { describe, expect, test } from 'vitest'
import { expectProblem, pathsOf } from '../support/requests/problem.ts'
import { withoutLimits } from '../support/requests/product-information.ts'
import { registration, sharedService } from '../support/services/service.ts'

const { call } = sharedService()

const register = async (changes: object) =>
  await call('POST /product', { body: { ...registration(), ...changes } })

/** Sends a registration with these changes and returns the invalid fields. */
const faultsOf = async (changes: object) =>
  expectProblem(await register(changes), 'invalid_request')

const expectAccepted = async (changes: object) => {
  const answer = await register(changes)
  expect(answer.status, answer.text).toBe(200)
}

describe('4.1 Register product', () => {
  test('returns an API key that product operations accept', async () => {
    const { json } = await register({})
    expect(Object.keys(json.data)).toEqual(['apiKey', 'productId'])
    const product = await call('GET /product', { apiKey: json.data.apiKey })
    expect(withoutLimits(product.json.data)).toEqual({
      ...registration(),
      productId: expect.any(String),
    })
  })

  test('D9: the key is a version 4 UUID, different for each registration', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => register({})))
    const keys = new Set(answers.map(({ json }) => json.data.apiKey))
    expect(keys.size).toBe(20)
    const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (const key of keys) expect(key).toMatch(version4)
  })

  test('D10: two identical registrations create two products', async () => {
    const [first, second] = [await register({}), await register({})]
    const apiKey = first.json.data.apiKey
    const body = {
      contractAddress: `0x${'1'.repeat(40)}`,
      contractDescription: 'Lanterns of the first season.',
      tokens: ['1'],
    }
    await call('POST /product/tokens', { apiKey, body })
    const others = await call('GET /product/tokens', { apiKey: second.json.data.apiKey })
    expect(others.json.data).toEqual([])
  })
})

describe('4.1 The limits of specification 8', () => {
  const bounds: [field: string, shortest: number, longest: number][] = [
    ['name', 2, 100],
    ['companyName', 2, 100],
    ['description', 10, 2000],
    ['companyDescription', 10, 2000],
  ]

  // One code point each: of one, one, and two UTF-16 code units, and one, two, and four bytes.
  const alphabets = ['x', 'ß', '🏮']

  test.each(bounds)('D4: %s has %i to %i code points', async (field, shortest, longest) => {
    for (const letter of alphabets) {
      await expectAccepted({ [field]: letter.repeat(shortest) })
      await expectAccepted({ [field]: letter.repeat(longest) })
      for (const length of [shortest - 1, longest + 1]) {
        expect(await faultsOf({ [field]: letter.repeat(length) })).toEqual([
          {
            in: 'body',
            path: field,
            message: `must be ${shortest} to ${longest} characters long`,
          },
        ])
      }
    }
  })

  test('D4, D8: contactEmail has 3 to 300 code points', async () => {
    await expectAccepted({ contactEmail: 'a@b' })
    for (const letter of alphabets) {
      await expectAccepted({ contactEmail: `${letter.repeat(149)}@${letter.repeat(150)}` })
      const tooLong = { contactEmail: `${letter.repeat(150)}@${letter.repeat(150)}` }
      expect(pathsOf(await faultsOf(tooLong))).toEqual(['contactEmail'])
    }
    expect(pathsOf(await faultsOf({ contactEmail: 'a@' }))).toEqual(['contactEmail'])
  })

  test('D4, D7: a website has up to 2,048 code points', async () => {
    for (const letter of alphabets) {
      const url = 'https://brindlewake.example/'
      const path = letter.repeat(2048 - url.length)
      for (const field of ['website', 'websiteLink']) {
        await expectAccepted({ [field]: url + path })
        await expectAccepted({ [field]: letter.repeat(2048) })
        expect(pathsOf(await faultsOf({ [field]: url + path + letter }))).toEqual([field])
      }
    }
  })
})

describe('4.1 The content of the fields', () => {
  test.each(['a@b', 'o"d d!@one', 'ünïcode@exämple', 'no.dots@localhost', 'a@[::1]'])(
    'D8: %s is a contact e-mail',
    async (contactEmail) => {
      await expectAccepted({ contactEmail })
    },
  )

  test.each(['a@@b', 'a@b@c', '@ab', 'ab@', 'abc'])(
    'D8: %s is rejected: it needs text on each side of a single @',
    async (contactEmail) => {
      expect(await faultsOf({ contactEmail })).toEqual([
        {
          in: 'body',
          path: 'contactEmail',
          message: 'must have something on each side of a single @',
        },
      ])
    },
  )

  test.each([
    'https://brindlewake.example/shop?a=b#c',
    'HTTP://BRINDLEWAKE.EXAMPLE',
    'www.example.com',
    'example.com:8080/shop',
    'our web site',
  ])('D7: %s is accepted as a website', async (website) => {
    await expectAccepted({ website })
  })

  test.each([
    'ftp://brindlewake.example',
    'javascript:alert(1)',
    'data:text/html,hello',
    'mailto:studio@brindlewake.example',
    'https://',
    '   ',
  ])('D7: %s is rejected as a website', async (website) => {
    expect(await faultsOf({ website })).toEqual([
      {
        in: 'body',
        path: 'website',
        message: 'must be an http or https URL, or a host name such as www.example.com',
      },
    ])
  })

  test('D7: the website has two names; different values are 400', async () => {
    const website = 'https://brindlewake.example'
    await expectAccepted({ website, websiteLink: website })
    expect(await faultsOf({ website, websiteLink: `${website}/` })).toEqual([
      {
        in: 'body',
        path: 'websiteLink',
        message: 'is another name of website and must have the same value',
      },
    ])
  })

  test.each(['name', 'companyName'])('D4: %s must contain more than white space', async (field) => {
    for (const blank of ['   ', '\t\n', '\u00a0\u2003']) {
      expect(await faultsOf({ [field]: blank })).toEqual([
        { in: 'body', path: field, message: 'must not be blank' },
      ])
    }
  })

  test.each(['description', 'companyDescription', 'website', 'websiteLink'])(
    'D4: null or an empty %s means absent',
    async (field) => {
      for (const absent of [null, '']) {
        const { json } = await register({ [field]: absent })
        const product = await call('GET /product', { apiKey: json.data.apiKey })
        expect(withoutLimits(product.json.data)).toEqual({
          ...registration(),
          productId: expect.any(String),
        })
      }
    },
  )

  test('D4: null is rejected as a name, an e-mail address and a company', async () => {
    const names = ['name', 'contactEmail', 'companyName']
    for (const nothing of [null, '']) {
      const nothings = Object.fromEntries(names.map((name) => [name, nothing]))
      expect(pathsOf(await faultsOf(nothings))).toEqual(names)
    }
  })

  const texts = ['name', 'description', 'contactEmail', 'companyName', 'companyDescription']
  test.each([...texts, 'website', 'websiteLink'])('D4: %s has no lone surrogate', async (field) => {
    for (const surrogate of ['\ud83c', '\udfee']) {
      const body = { ...registration(), [field]: `studio@brindlewake.example${surrogate}` }
      const answer = await call('POST /product', { body: JSON.stringify(body) })
      expect(expectProblem(answer, 'invalid_request')).toEqual([
        {
          in: 'body',
          path: field,
          message: 'must be well-formed Unicode (it has a lone surrogate)',
        },
      ])
    }
  })

  test('D2: the response names every invalid field, in the order of the specification', async () => {
    const everything = {
      name: 'x',
      description: 'too short',
      contactEmail: 'nobody',
      companyName: ' \n',
      companyDescription: 12,
      website: ['https://brindlewake.example'],
      websiteLink: 'gopher://brindlewake.example',
    }
    const faults = await faultsOf(everything)
    expect(pathsOf(faults)).toEqual(Object.keys(everything))
    expect(new Set(faults.map((fault) => fault.in))).toEqual(new Set(['body']))
  })
})
