import { localSettingTable } from '@player-nfts/local/settings'
import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { oauthErrorOf } from '../../lib/contract/oauth.ts'
import { problemType } from '../../lib/contract/problem-details.ts'
import { problemsOf, type Route } from '../../lib/contract/route.ts'
import { chainNames } from '../../lib/domain/nft/chain.ts'
import { type ProblemCode, problems } from '../../lib/domain/problems.ts'
import { openApi, openApiText } from '../../openapi/openapi-document.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests look into any part of the document
type Json = any

const document: Json = openApi()

const operations = Object.entries<Route>(routes).flatMap(([id, route]) =>
  route.paths.map((path) => ({ id, path, route })),
)
const described = ({ path, route }: { path: string; route: Route }) =>
  document.paths[path][route.method.toLowerCase()]

/** The value at a JSON pointer. Follows references; members beside a reference take precedence. */
function resolve(part: Json): Json {
  if (!part?.$ref) return part
  const steps = part.$ref.slice(2).split('/')
  const target = steps.reduce(
    (found: Json, step: string) => found?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
  const { $ref, ...rest } = part
  return { ...resolve(target), ...rest }
}

/** Each object inside a part of the document, examples left out. */
function partsOf(part: Json): Json[] {
  if (typeof part !== 'object' || part === null) return []
  const inside = Object.entries(part).filter(([name]) => !/^examples?$/.test(name))
  return [part, ...inside.flatMap(([, value]) => partsOf(value))]
}

/** The objects that a schema describes, also through references. */
const objectsIn = (schema: Json): Json[] =>
  partsOf(schema)
    .flatMap((part) => (part.$ref ? objectsIn(resolve({ $ref: part.$ref })) : [part]))
    .filter(({ type }) => type === 'object')

describe('the OpenAPI document (D33)', () => {
  test('is the same each time, and consists of JSON values only', () => {
    expect(openApiText()).toBe(openApiText())
    expect(JSON.parse(openApiText())).toStrictEqual(openApi())
    expect(openApiText().endsWith('}\n')).toBe(true)
  })

  test('D33: is OpenAPI 3.1, and has the major version of the paths', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info.version).toMatch(/^1\.\d+\.\d+$/)
  })

  test('names every operation as the route table does, and second paths differently', () => {
    const ids = operations.map((operation) => described(operation).operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !(id in routes))).toEqual(['getPlayerBalance'])
    expect(Object.keys(routes).filter((id) => !ids.includes(id))).toEqual([])
  })

  test('has every problem at the anchor of its type (D2, D3)', () => {
    for (const code of Object.keys(problems) as ProblemCode[]) {
      const [path, pointer] = problemType(code).split('#')
      expect(routes.getOpenapi.paths).toContain(path)
      const response = resolve({ $ref: `#${pointer}` })
      expect(response?.description, code).toMatch(/\.$/)
      const { examples } = response.content['application/problem+json']
      expect(resolve(examples[code]).value.code).toBe(code)
    }
  })

  test('states in JSON Schema all that JSON Schema can express', () => {
    const { Allowlisting, ProductRegistration } = document.components.schemas
    const query = (path: string, method: string, name: string) =>
      document.paths[`/api/public/v1${path}`][method].parameters
        .map(resolve)
        .find((parameter: { name: string }) => parameter.name === name).schema
    const tokenIds = {
      type: 'array',
      minItems: 1,
      items: {
        type: 'string',
        pattern: '^(([0-9]+|0[xX][0-9a-fA-F]+)(\\.\\.([0-9]+|0[xX][0-9a-fA-F]+))?|\\*)$',
        minLength: 1,
        maxLength: 202,
      },
    }
    expect(Allowlisting.properties).toMatchObject({
      chain: { type: ['string', 'null'], 'x-extensible-enum': ['POLYGON', 'BSC'] },
      contractAddress: { minLength: 2, maxLength: 100, pattern: '^0x[0-9a-fA-F]{40}$' },
      tokens: { ...tokenIds, maxItems: 10_000 },
    })
    expect(query('/product/tokens', 'delete', 'tokens')).toEqual({ ...tokenIds, maxItems: 1000 })
    expect(query('/player/tokens', 'get', 'limit')).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 1000,
    })
    expect(ProductRegistration.required).toEqual(['name', 'contactEmail', 'companyName'])
    expect(ProductRegistration.properties.name).toMatchObject({ minLength: 2, maxLength: 100 })
  })

  test('lists the known values of what can grow without closing the list', () => {
    const { Chain, Problem } = document.components.schemas
    expect(Chain).toMatchObject({ type: 'string', 'x-extensible-enum': chainNames })
    expect(Problem.properties.code['x-extensible-enum']).toEqual(Object.keys(problems))
    for (const schema of [Chain, Problem.properties.code]) expect(schema).not.toHaveProperty('enum')
  })

  test('says of each number how many bits it needs', () => {
    const numbers = partsOf(document).filter(({ type }) => /integer|number/.test(`${type}`))
    const integers = numbers.filter(({ type }) => type !== 'number')
    const unsaid = integers.filter(({ maximum, format }) => {
      const isInt64 = maximum === Number.MAX_SAFE_INTEGER && format === 'int64'
      return !isInt64 && !(maximum <= 2 ** 31 - 1 && format === undefined)
    })
    expect(unsaid).toEqual([])
    expect(integers.length).toBeGreaterThan(20)
    expect(numbers.filter(({ type }) => type === 'number')).toEqual([
      { type: 'number', format: 'double', description: expect.any(String) },
    ])
    const { PlayerDetails, CountedCalls, ProductLimit, ProductEvent } = document.components.schemas
    const int64 = { type: 'integer', format: 'int64', minimum: 0, maximum: 2 ** 53 - 1 }
    expect(PlayerDetails.properties.userId).toMatchObject(int64)
    expect(CountedCalls.properties.count).toMatchObject(int64)
    expect(ProductLimit.properties.count).toMatchObject(int64)
    expect(ProductEvent.properties.count.anyOf).toEqual([int64, { type: 'null' }])
  })

  test('D33: permits added fields in each object of a response, not of requests and API Gateway', () => {
    const bodies = operations.flatMap((operation) => {
      const { requestBody } = described(operation)
      const contents: { schema: object }[] = Object.values(requestBody?.content ?? {})
      return contents.flatMap(({ schema }) => objectsIn(schema))
    })
    const objects = partsOf(document).filter(({ type }) => type === 'object')
    const closed = objects.filter(({ additionalProperties }) => additionalProperties !== true)
    expect(bodies.length).toBeGreaterThan(5)
    const { GatewayMessage } = document.components.schemas
    const textsOf = (parts: object[]) => new Set(parts.map((part) => JSON.stringify(part)))
    expect(textsOf(closed)).toEqual(textsOf([...bodies, GatewayMessage]))
    expect(closed.filter((body) => 'additionalProperties' in body)).toEqual([])
    expect(objects.length - closed.length).toBeGreaterThan(40)
  })

  test('D132: no name is one that a generator makes itself, and each enumeration has a type', () => {
    const { schemas, securitySchemes } = document.components
    const names = Object.keys(schemas)
    const enumerations = partsOf(document).filter((part) => 'const' in part || 'enum' in part)
    expect(enumerations.length).toBeGreaterThan(20)
    expect({
      response: names.filter((name) => name.endsWith('Response')),
      constructor: names.filter((name) => names.some((other) => name === `New${other}`)),
      securityScheme: names.filter((name) => name in securitySchemes),
      untyped: enumerations.filter((part) => !('type' in part)),
    }).toEqual({ response: [], constructor: [], securityScheme: [], untyped: [] })
    // The client exports these.
    expect(names).toEqual(expect.arrayContaining(['PlayerToken', 'SignInMessage']))
  })

  test('D33: gives no boolean a single value, which openapi-generator takes for an enumeration of texts', () => {
    const booleans = partsOf(document).filter(({ type }) => type === 'boolean')
    expect(booleans.length).toBeGreaterThan(20)
    expect(booleans.filter((part) => 'const' in part || 'enum' in part)).toEqual([])
  })

  test('has each repeated parameter and problem response once, by name', () => {
    const repeated = Object.values<object>(document.paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ parameters = [], responses: { 200: _, ...problems } }) => [
        ...parameters,
        ...Object.values(problems),
      ])
      .filter((part) => !('$ref' in part))
      .map((part) => JSON.stringify(part))
    const own = repeated.filter((text) => !text.includes('"invalid_request":{"summary"'))
    expect(own.length).toBeGreaterThan(0)
    expect(new Set(own).size).toBe(own.length)
    expect(Object.keys(document.components.parameters)).toContain('chains')
  })

  test('names the local address among its servers', () => {
    const { default: port } = localSettingTable.PORT
    expect(document.servers.map(({ url }: { url: string }) => url)).toEqual([
      '/',
      `http://127.0.0.1:${port}`,
    ])
  })
})

describe.each(operations)('$route.method $path', (operation) => {
  const { route } = operation
  const { summary, description, tags, security, responses, parameters = [] } = described(operation)

  test('has a description, and so has each of its parameters, with an example', () => {
    expect(summary).toMatch(/^[A-Z].*[^.]$/)
    expect(description).toMatch(/\.$/)
    expect(document.tags.map(({ name }: { name: string }) => name)).toContain(tags[0])
    for (const parameter of parameters.map(resolve)) {
      expect(parameter).toMatchObject({ description: expect.stringMatching(/\.$/) })
      const { in: place, name, required = false } = parameter
      expect(place === 'path' || 'example' in parameter, name).toBe(true)
      const { type = 'optional' } = route.query?.entries[name] ?? {}
      expect(required, name).toBe(place === 'path' || type !== 'optional')
      // D156: the credentials are security schemes, so no other header is a parameter.
      if (place === 'header') expect(name).toBe('Cache-Control')
    }
  })

  test('requires the credentials of specification 5', () => {
    const credential = {
      ...{ NONE: {}, PRODUCT: { ApiKey: [] }, USER: { UserJwt: [] }, SESSION: { Session: [] } },
    }[route.auth]
    const none = 'isSessionOptional' in route ? [{}] : []
    const places = [{ PlayerTokenHeader: [] }, { PlayerTokenParameter: [] }]
    const expected = route.player
      ? places.map((place) => ({ ...credential, ...place }))
      : [credential].filter((scheme) => Object.keys(scheme).length > 0)
    // D51: the player token is the credential of a game without an API key.
    expect(security).toEqual([...expected, ...none, ...(route.clientAccess ? places : [])])
  })

  test('has exactly its problems, by status and with an example', () => {
    const byStatus = Map.groupBy(problemsOf(route), (code) => String(problems[code].status))
    const statuses = Object.keys(responses).filter((status) => /^[45]\d\d$/.test(status))
    expect(statuses.sort()).toEqual([...byStatus.keys()].sort())
    for (const [status, codes] of byStatus) {
      const { content, headers } = resolve(responses[status])
      // RFC 6749, section 5.2: the errors of OAuth are plain JSON.
      const { examples } = content[route.oauth ? 'application/json' : 'application/problem+json']
      expect(Object.keys(examples)).toEqual(codes)
      for (const code of codes) {
        const error = route.oauth && oauthErrorOf(code)
        expect(resolve(examples[code]).value).toMatchObject({ code, ...(error && { error }) })
      }
      expect('WWW-Authenticate' in headers).toBe(status === '401')
      expect('Retry-After' in headers).toBe(status === '429' || status === '503')
    }
  })
})
