import { beforeEach, describe, expect, test } from 'vitest'
import { capturedLog, goodApiKey, invoke, keeping } from '../support/memory/http-chain.ts'
import { newKeyPair, signJwt } from '../support/tokens/jwts.ts'

const operations = {
  getStructuredMetadata: keeping('getStructuredMetadata'),
  getPlayerDetails: keeping('getPlayerDetails'),
}

beforeEach(() => {
  capturedLog()
})

const { privateKey } = newKeyPair()
const jwtOf = (typ: string) => signJwt(privateKey, { sub: '1002' }, { alg: 'ES256', typ })
const [playerToken, userJwt] = [jwtOf('player+jwt'), jwtOf('JWT')]

const places = 'in the header X-Player-Token or in the parameter playerToken'
const nothing = `is required: send the player token ${places}`
const inAuthorization = `is required: the header Authorization has a player token; send it ${places} instead`
const notExchanged = `is required: the header Authorization has a user JWT or another JWT; create a player token with GET /api/public/v1/player/token, and send it ${places}`

describe.each(Object.entries(operations))('D23: %s without a player token', (_, handler) => {
  const ask = async (authorization?: string, query = '') => {
    const headers = { 'x-api-key': goodApiKey, ...(authorization && { authorization }) }
    const { statusCode, json, body } = await invoke(handler, { headers, query })
    expect([statusCode, json.code]).toEqual([400, 'invalid_request'])
    for (const token of [playerToken, userJwt]) expect(body).not.toContain(token)
    return json
  }

  test.each([
    ['no Authorization', undefined, nothing],
    ['another scheme', 'Basic dXNlcjpwYXNz', nothing],
    ['text that is not a JWT', 'Bearer 2f7b9a54-3a0e-4b1c-9d57-5d0c7a1f6e21', nothing],
    ['three parts that are not a JWT', 'Bearer a.b.c', nothing],
    ['a JSON header that is not an object', 'Bearer bnVsbA.b.c', nothing],
    ['a player token', `Bearer ${playerToken}`, inAuthorization],
    ['a player token and other spelling', `bearer   ${playerToken} `, inAuthorization],
    ['a user JWT', `Bearer ${userJwt}`, notExchanged],
  ])('D23: %s', async (_, authorization, message) => {
    const { errors, detail } = await ask(authorization)
    expect(errors).toEqual([{ in: 'query', path: 'playerToken', message }])
    expect(detail).toBe(`playerToken ${message}.`)
  })

  test.each(['token', 'PlayerToken', 'player_token', 'X-Player-Token', 'playerToken[]'])(
    'D34: the parameter %s is a near miss',
    async (path) => {
      const { errors } = await ask(undefined, `${path}=${playerToken}`)
      const message = 'is not a parameter of this operation; use playerToken'
      expect(errors).toEqual([{ in: 'query', path, message }])
    },
  )
})
