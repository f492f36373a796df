import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isIn, routes } from '../../functions/operations.ts'
import { deployedDocument } from '../../lib/contract/deployed-document.ts'
import { type Feature, problemsOf, type Route } from '../../lib/contract/route.ts'
import { limitNames, signInLimitNames, webhookLimitNames } from '../../lib/domain/limit/limit.ts'
import { problems } from '../../lib/domain/problems.ts'
import { documentationOf } from '../../openapi/operations.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests look into any part of the document
type Json = any

const whole: Json = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))

const rows: readonly Route[] = Object.values(routes)

/** What a text of the document can show of each feature, beside the names that the rows have. */
const signsOf: Record<Feature, RegExp> = {
  walletSignIn: /signIn|walletSignIn|\bsession\b|OAuth|device/i,
  webhooks: /webhook_(tests|replays|not)|"webhooks"|whsec_/,
}

const limitsOf: Record<Feature, readonly string[]> = {
  walletSignIn: signInLimitNames,
  webhooks: webhookLimitNames,
}

const deployments: readonly (readonly Feature[])[] = [
  [],
  ['walletSignIn'],
  ['webhooks'],
  ['walletSignIn', 'webhooks'],
]

describe.each(deployments.map((absent) => ({ absent })))(
  'D146: the document of a deployment without $absent',
  ({ absent }) => {
    const document: Json = deployedDocument(whole, absent)
    const { components } = document
    const own = rows.filter((row) =>
      isIn(row, {
        walletSignIn: absent.includes('walletSignIn') ? undefined : {},
        webhooks: absent.includes('webhooks') ? undefined : {},
      }),
    )
    const text = JSON.stringify(document)

    test('has the paths, tags and credentials of its operations, and no other', () => {
      const inDocument = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
      )
      const inTable = own.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`))
      expect(inDocument.toSorted()).toEqual(inTable.toSorted())
      expect(new Set(document.tags.map(({ name }: Json) => name))).toEqual(
        new Set(own.map(({ id }) => documentationOf(id as 'signIn').tag)),
      )
      const required = Object.values<Json>(document.paths)
        .flatMap((item) => Object.values<Json>(item))
        .flatMap(({ security }) => security.flatMap(Object.keys))
      expect(new Set(Object.keys(components.securitySchemes))).toEqual(new Set(required))
    })

    test('has their problems, challenges and limits, and no other', () => {
      const codes = new Set<string>(own.flatMap(problemsOf))
      const inOrder = Object.keys(problems).filter((code) => codes.has(code))
      const { Problem, ExhaustedLimit } = components.schemas
      expect(Problem.properties.code['x-extensible-enum']).toEqual(inOrder)
      expect(Object.keys(document['x-problems'])).toEqual(inOrder)
      expect(Object.keys(components.examples)).toEqual(inOrder)
      const { examples } = components.responses.problem.content['application/problem+json']
      expect(Object.keys(examples)).toEqual(inOrder)
      const absentLimits: readonly string[] = absent.flatMap((feature) => limitsOf[feature])
      expect(ExhaustedLimit.properties.name.enum).toEqual(
        limitNames.filter((name) => !absentLimits.includes(name)),
      )
      const challenges = components.headers['WWW-Authenticate'].schema.enum
      expect(challenges.includes('Wallet')).toBe(!absent.includes('walletSignIn'))
    })

    test('has a target for every reference, and no component that nothing refers to', () => {
      const pointers = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer = '']) => pointer)
      const named = Object.entries<Json>(components).flatMap(([kind, ofKind]) =>
        kind === 'securitySchemes'
          ? []
          : Object.keys(ofKind).map((name) => `#/components/${kind}/${name}`),
      )
      expect(new Set(pointers)).toEqual(new Set(named))
    })

    test('says nothing of what it does not have', () => {
      for (const feature of absent) {
        expect(signsOf[feature].exec(text)?.[0], feature).toBeUndefined()
        const codes = new Set<string>(own.flatMap(problemsOf))
        const others = Object.keys(problems).filter((code) => !codes.has(code))
        expect(others.filter((code) => text.includes(code))).toEqual([])
      }
    })
  },
)

test('D146: leaves out fields, and nothing in a deployment with everything', () => {
  const { Product, ProductChanges } = deployedDocument(whole, ['walletSignIn']).components[
    'schemas'
  ] as Json
  expect(Object.keys(Product.properties)).not.toContain('signInState')
  expect(Object.keys(ProductChanges.properties)).not.toContain('signInDomains')
  expect(deployedDocument(whole, [])).toBe(whole)
})

const { schemas } = whole.components

describe('fields of bodies that can be absent', () => {
  test('D4: an optional field of a body can be null, and says what null and "" mean', () => {
    const { ContractToRefresh, ProductRegistration } = schemas
    const absent = expect.stringMatching(/ `null` or `""` means that the field is absent\.$/)
    const { website, name } = ProductRegistration.properties
    expect(website).toMatchObject({ type: ['string', 'null'], description: absent })
    expect(name).toMatchObject({ type: 'string', description: expect.not.stringMatching('null') })
    expect(ContractToRefresh.properties.chain).toEqual({
      description: absent,
      anyOf: [{ $ref: '#/components/schemas/Chain' }, { type: 'null' }],
    })
  })

  test('D126: a field of a change can be null, and says whether that leaves or removes it', () => {
    const { name, description } = schemas.ProductChanges.properties
    const absent = expect.stringMatching(/ `null` means that the field is absent\.$/)
    expect(name).toMatchObject({ type: ['string', 'null'], description: absent })
    expect(description).toMatchObject({
      description: expect.stringMatching(/ `null` removes it\.$/),
      anyOf: [{ type: 'string' }, { type: 'null' }],
    })
  })
})
