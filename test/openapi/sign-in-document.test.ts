import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { operationsWithSignIn, signInOperations } from '../../functions/operations.ts'
import type { AnyDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import { problems } from '../../lib/contract/problems.ts'
import type { Route } from '../../lib/contract/route.ts'
import { signInProblems } from '../../lib/contract/sign-in-problems.ts'
import { signInLimitNames } from '../../lib/domain/limit/limit.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests look into any part of the documents
type Json = any

const read = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'))
const usual = read('docs/openapi.json')
const document = read('docs/openapi-sign-in.json')

const operations = Object.entries<{ row: Route }>(operationsWithSignIn).flatMap(([id, { row }]) =>
  row.paths.map((path) => ({
    id,
    path,
    row,
    described: document.paths[path][row.method.toLowerCase()],
  })),
)
const ofSignIn = operations.filter(({ id }) => id in signInOperations)
const described = (id: string): Json => ofSignIn.find((operation) => operation.id === id)?.described

/** The value at a JSON pointer. */
const at = (pointer: string): Json =>
  pointer
    .slice(2)
    .split('/')
    .reduce((found: Json, step) => found?.[step.replaceAll('~1', '/')], document)
const resolved = (part: Json): Json => (part.$ref ? resolved(at(part.$ref)) : part)

describe('D116: the OpenAPI document of sign-in with wallets', () => {
  test('has every operation, and the other document has none of them', () => {
    expect(operations.map((operation) => operation.described?.operationId)).toEqual(
      operations.map(({ id, path }) => (path.endsWith('/balance') ? 'getPlayerBalance' : id)),
    )
    expect(ofSignIn).toHaveLength(13)
    for (const { path } of ofSignIn) expect(usual.paths).not.toHaveProperty([path])
    expect(JSON.stringify(usual)).not.toMatch(/signIn|session|OAuth/)
  })

  test('describes the other operations as the other document does, but for the fields of a product', () => {
    const changed = new Set(['getProduct', 'updateProduct'])
    const textOf = (operation: Json) => {
      const { responses: _, ...rest } = operation
      return JSON.stringify(rest)
    }
    for (const [path, item] of Object.entries<Json>(usual.paths)) {
      for (const [method, operation] of Object.entries<Json>(item)) {
        if (changed.has(operation.operationId)) continue
        expect(textOf(document.paths[path][method])).toBe(textOf(operation))
      }
    }
    const { Product, ProductChanges } = document.components.schemas
    expect(Product.properties).toMatchObject({
      signIn: { type: 'boolean' },
      signInDomains: { type: 'array' },
      signInState: { enum: ['ON', 'WAITING'] },
    })
    expect(Object.keys(ProductChanges.properties)).toEqual(
      expect.arrayContaining(['signIn', 'signInDomains', 'clientAccess']),
    )
  })

  test('has the problems and limits of sign-in, each with its meaning', () => {
    const codes = [...Object.keys(problems), ...Object.keys(signInProblems)]
    const { Problem, ExhaustedLimit } = document.components.schemas
    expect(Problem.properties.code['x-extensible-enum']).toEqual(codes)
    expect(ExhaustedLimit.properties.name.enum).toEqual(
      expect.arrayContaining([...signInLimitNames]),
    )
    for (const code of codes)
      expect(resolved(at(`#/components/responses/${code}`)).description).toMatch(/\.$/)
  })

  test.each(ofSignIn)(
    'has each problem of $id under its status, with an example',
    ({ row, described: { responses } }) => {
      for (const code of row.signInProblems ?? []) {
        const { status, title } = signInProblems[code]
        const [content] = Object.values<Json>(resolved(responses[status]).content)
        expect(resolved(content.examples[code]).value).toMatchObject({ code, status, title })
      }
      const challenged = row.auth === 'SESSION' ? ['missing_session', 'invalid_session'] : []
      for (const code of challenged) {
        const { 'application/problem+json': content } = resolved(responses[401]).content
        expect(Object.keys(content.examples)).toContain(code)
      }
    },
  )

  test.each(ofSignIn)(
    'has examples of $id that the service would accept and answer',
    ({ id, row }) => {
      const documented: AnyDocumentation = operationsWithSignIn[id as 'signIn'].documentation()
      for (const { value } of Object.values<Json>(documented.requests ?? {})) {
        expect(v.safeParse(row.body as v.GenericSchema, value).issues).toBeUndefined()
      }
      for (const { value } of Object.values<Json>(documented.answers)) {
        const answer = row.form === 'bare' ? value : value.data
        expect(v.safeParse(row.answer, answer).issues).toBeUndefined()
      }
    },
  )

  test('says that the operations of OAuth take forms and answer its errors (RFC 6749)', () => {
    for (const id of ['createToken', 'authorizeDevice']) {
      const { requestBody, responses, security } = described(id)
      expect(Object.keys(requestBody.content)).toEqual(['application/x-www-form-urlencoded'])
      expect(security).toEqual([])
      const { 'application/json': content } = resolved(responses[400]).content
      expect(content.schema).toEqual({ $ref: '#/components/schemas/OAuthProblem' })
      expect(content.examples.invalid_client.value.error).toBe('invalid_client')
      expect(
        responses[503].content['application/json'].examples.service_unavailable.value.error,
      ).toBe('temporarily_unavailable')
    }
  })

  test('says which operations take a session', () => {
    expect(described('getGames').security).toEqual([{ Session: [] }])
    expect(described('createSignInMessage').security).toEqual([{ Session: [] }, {}])
    expect(document.components.securitySchemes.Session).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    })
    expect(usual.components.securitySchemes).not.toHaveProperty('Session')
  })

  test('has a target for every reference', () => {
    const pointers = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)]
    expect(pointers.length).toBeGreaterThan(100)
    for (const [, pointer = ''] of pointers) expect(at(pointer), pointer).toBeDefined()
  })
})
