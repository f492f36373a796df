import { beforeEach, describe, expect, test } from 'vitest'
import {
  capturedLog,
  goodApiKey,
  goodPlayerToken,
  goodUserJwt,
  invoke,
  keeping,
} from '../support/memory/http-chain.ts'

const getRawMetadata = keeping('getRawMetadata')
const createPlayerToken = keeping('createPlayerToken')
const registerProduct = keeping('registerProduct')

beforeEach(() => {
  capturedLog()
})

const registration = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }

describe('RFC 9110 section 5.1: header names in any case', () => {
  test.each([
    ['x-api-key', 'x-player-token'],
    ['X-Api-Key', 'X-Player-Token'],
    ['X-API-KEY', 'x-Player-token'],
  ])('%s and %s', async (apiKey, playerToken) => {
    const headers = { [apiKey]: goodApiKey, [playerToken]: goodPlayerToken }
    expect((await invoke(getRawMetadata, { headers })).statusCode).toBe(200)
  })

  test.each(['authorization', 'Authorization', 'AUTHORIZATION'])('%s', async (name) => {
    const headers = { Host: 'localhost', [name]: `Bearer ${goodUserJwt}` }
    expect((await invoke(createPlayerToken, { headers })).statusCode).toBe(200)
  })

  test.each(['content-type', 'Content-Type'])('%s', async (name) => {
    const asked = { body: registration, headers: { [name]: 'text/plain' } }
    expect((await invoke(registerProduct, asked)).json.code).toBe('unsupported_media_type')
  })

  test('values of names that differ only in case are joined, and none of them is used alone', async () => {
    const other = goodApiKey.replace('2', '3')
    for (const headers of [
      { 'x-api-key': goodApiKey, 'X-Api-Key': other },
      { 'X-Api-Key': other, 'x-api-key': goodApiKey },
      { 'X-API-KEY': goodApiKey, 'X-Api-Key': goodApiKey },
    ]) {
      const { json } = await invoke(getRawMetadata, { headers })
      expect(json.code).toBe('invalid_api_key')
    }
  })

  test('names of Object.prototype are headers like any other', async () => {
    const headers = { Constructor: 'x', __PROTO__: 'x', 'X-Api-Key': goodApiKey }
    const query = `playerToken=${goodPlayerToken}`
    expect((await invoke(getRawMetadata, { headers, query })).statusCode).toBe(200)
  })
})
