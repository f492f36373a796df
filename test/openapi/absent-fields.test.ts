import { describe, expect, test } from 'vitest'
import { openApi } from '../../openapi/openapi-document.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests look into any part of the document
const { schemas } = (openApi() as any).components

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
