import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type ProblemCode, problems, problemType } from '../../lib/contract/problems.ts'
import { problemsOf, type Route } from '../../lib/contract/route.ts'
import { routes } from '../../lib/contract/routes.ts'
import { openApi, openApiText } from '../../openapi/openapi-document.ts'

const file = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url))
// biome-ignore lint/suspicious/noExplicitAny: the tests look into any part of the document
const document: any = openApi()

const operations = Object.entries<Route>(routes).flatMap(([id, route]) =>
  route.paths.map((path) => ({ id, path, route })),
)
const described = ({ path, route }: { path: string; route: Route }) =>
  document.paths[path][route.method.toLowerCase()]

/** The value at a JSON pointer. Follows references; members beside a reference take precedence. */
// biome-ignore lint/suspicious/noExplicitAny: any part of the document
function resolve(part: any): any {
  if (!part?.$ref) return part
  const steps = part.$ref.slice(2).split('/')
  const target = steps.reduce(
    // biome-ignore lint/suspicious/noExplicitAny: any part of the document
    (found: any, step: string) => found?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
  const { $ref, ...rest } = part
  return { ...resolve(target), ...rest }
}

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

  test('has every path and method of the route table, and no other', () => {
    const inDocument = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const inTable = operations.map(({ path, route }) => `${route.method} ${path}`)
    expect(inDocument.sort()).toEqual(inTable.sort())
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
      document.paths[`/api/public/v1${path}`][method].parameters.find(
        (parameter: { name: string }) => parameter.name === name,
      ).schema
    const tokenIds = {
      type: 'array',
      minItems: 1,
      items: {
        type: 'string',
        pattern: '^([0-9]+|0[xX][0-9a-fA-F]+)$',
        minLength: 1,
        maxLength: 100,
      },
    }
    expect(Allowlisting.properties).toMatchObject({
      chain: { enum: ['POLYGON', 'BSC'] },
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

  test('has a target for every reference', () => {
    const pointers = [...openApiText().matchAll(/"\$ref": "([^"]+)"/g)].map(
      ([, pointer]) => pointer,
    )
    const dangling = pointers.filter(($ref) => Object.keys(resolve({ $ref })).length === 0)
    expect(pointers.length).toBeGreaterThan(0)
    expect(dangling).toEqual([])
  })
})

describe.each(operations)('$route.method $path', (operation) => {
  const { id, route } = operation
  const { responses, parameters = [], ...rest } = described(operation)

  test('has a description', () => {
    expect(rest.summary).toMatch(/^[A-Z].*[^.]$/)
    expect(rest.description).toMatch(/\.$/)
    expect(document.tags.map(({ name }: { name: string }) => name)).toContain(rest.tags[0])
  })

  test('requires the credentials of specification 5', () => {
    const security = { NONE: [], PRODUCT: [{ ApiKey: [] }], USER: [{ UserJwt: [] }] }
    expect(rest.security).toEqual(security[route.auth])
  })

  test('accepts what its schemas describe, each with an example', () => {
    // biome-ignore lint/suspicious/noExplicitAny: any parameter
    const taken: any[] = parameters.map(resolve)
    const player = route.player ? ['playerToken', 'X-Player-Token'] : []
    expect(taken.map(({ name }) => name)).toEqual([
      ...player,
      ...Object.keys(route.query?.entries ?? {}),
    ])
    for (const { name, description, example, required } of taken) {
      const schema = route.query?.entries[name]
      expect({ name, description, example }).toEqual({
        name,
        description: expect.stringMatching(/\.$/),
        example: expect.anything(),
      })
      expect(required ?? false).toBe(schema !== undefined && schema.type !== 'optional')
    }
    expect('requestBody' in rest).toBe(route.body !== undefined)
  })

  test('has exactly its problems, by status and with an example', () => {
    const byStatus = Map.groupBy(problemsOf(route), (code) => String(problems[code].status))
    const statuses = Object.keys(responses).filter((status) => /^[45]\d\d$/.test(status))
    expect(statuses.sort()).toEqual([...byStatus.keys()].sort())
    for (const [status, codes] of byStatus) {
      const { content, headers } = resolve(responses[status])
      const { examples } = content['application/problem+json']
      expect(Object.keys(examples)).toEqual(codes)
      for (const code of codes) expect(resolve(examples[code]).value.code).toBe(code)
      expect('WWW-Authenticate' in headers).toBe(status === '401')
      expect('Retry-After' in headers).toBe(status === '503')
    }
  })

  test('returns 200 in the envelope, or bare (D1)', () => {
    const { schema, examples } = responses[200].content['application/json']
    expect(Object.keys(examples).length).toBeGreaterThan(0)
    if (route.form === 'bare') return
    const names = ['data', 'success', ...(route.form === 'paged' ? ['nextCursor'] : [])]
    expect(Object.keys(schema.properties), id).toEqual(names)
  })
})

describe('an independent linter', () => {
  test('Redocly in its strictest configuration has no finding', async () => {
    const { report, exitCode } = await lint(file)
    expect(report.problems).toEqual([])
    expect(report.totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
    expect(exitCode).toBe(0)
  }, 70_000)
})

/** Lints a document like a user, without any configuration file and without network access. */
function lint(path: string): Promise<{
  report: { problems: unknown[]; totals: Record<string, number> }
  exitCode: number
}> {
  const cli = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
  const args = [cli, 'lint', path, '--extends', 'recommended-strict', '--format', 'json']
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }
  return new Promise((done, fail) => {
    const options = { cwd: tmpdir(), env, timeout: 60_000, maxBuffer: 16 * 1_048_576 }
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      try {
        done({ report: JSON.parse(stdout), exitCode: error ? Number(error.code) : 0 })
      } catch {
        fail(new Error(`Redocly gave no report: ${stderr || error?.message}`))
      }
    })
  })
}
