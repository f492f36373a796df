import { expect, test } from 'vitest'
import { PlayerNfts } from '../../../clients/typescript/src/index.ts'
import { type Operation, operations } from '../../../clients/typescript/src/operations.ts'
import document from '../../../docs/openapi.json' with { type: 'json' }

interface Described {
  operationId: string
  security?: Record<string, unknown>[]
  parameters?: { $ref?: string }[]
}

const schemes: Record<string, string> = {
  ApiKey: 'apiKey',
  PlayerToken: 'playerToken',
  UserJwt: 'userJwt',
}

const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Described>).map(([method, operation]) => ({
    ...operation,
    path,
    method: method.toUpperCase(),
  })),
)

test('the client has a method for each operation of the OpenAPI document, and no other', () => {
  const ids = described.map(({ operationId }) => operationId).toSorted()
  expect(ids.length).toBeGreaterThanOrEqual(25)
  expect(Object.keys(operations).toSorted()).toEqual(ids)
  const own = ['constructor', 'withOptions']
  const methods = Object.getOwnPropertyNames(PlayerNfts.prototype)
  expect(methods.filter((name) => !own.includes(name)).toSorted()).toEqual(ids)
})

test.each(described)('$operationId is sent as the document describes it', (operation) => {
  const { method, path, operationId, security = [], parameters = [] } = operation
  const { credentials, ...sent } = operations[operationId as keyof typeof operations] as Operation
  expect(sent).toMatchObject({ method, path })
  expect(sent.effect === 'reads').toBe(method === 'GET' && operationId !== 'createPlayerToken')
  const names = new Set(security.flatMap((each) => Object.keys(each)))
  const expected = [...names].map((name) => schemes[name]).filter((name) => name !== undefined)
  expect([...credentials].toSorted()).toEqual(expected.toSorted())
  const isRemembered = parameters.some(({ $ref }) => $ref?.endsWith('/Cache-Control'))
  expect(sent.remembered ?? false).toBe(isRemembered)
})
