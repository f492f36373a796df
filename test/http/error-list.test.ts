import { beforeEach, describe, expect, test } from 'vitest'
import { capturedLog, goodApiKey, invoke, keeping } from '../support/memory/http-chain.ts'

const allowlistNfts = keeping('allowlistNfts')

beforeEach(() => {
  capturedLog()
})

/** The problem of a request with this number of invalid token identifiers. */
async function problemOf(count: number) {
  const body = {
    contractAddress: `0x${'a'.repeat(40)}`,
    contractDescription: 'lanterns and kites',
    tokens: Array(count).fill('x'),
  }
  const { json } = await invoke(allowlistNfts, { body, headers: { 'x-api-key': goodApiKey } })
  return json
}

const first =
  'tokens.0 must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text. There are'

describe('D35: a long list of invalid fields', () => {
  test('D35: 100 invalid fields are all listed', async () => {
    const { errors, detail } = await problemOf(100)
    expect(errors).toHaveLength(100)
    expect(detail).toBe(`${first} 100 such fields.`)
  })

  test.each([101, 10_000])(
    'D35: of %i, the first 100 are listed, and the number of the others is given',
    async (count) => {
      const { errors, detail } = await problemOf(count)
      expect(errors.map(({ path }: { path: string }) => path)).toEqual(
        Array.from({ length: 100 }, (_, index) => `tokens.${index}`),
      )
      expect(detail).toBe(
        `${first} ${count} such fields; the first 100 are listed, the other ${count - 100} are not.`,
      )
    },
  )
})
