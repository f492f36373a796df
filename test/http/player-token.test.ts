import { beforeEach, describe, expect, test } from 'vitest'
import {
  capturedLog,
  goodApiKey,
  goodPlayerToken,
  invoke,
  keeping,
} from '../support/memory/http-chain.ts'
import { newKeyPair, signJwt } from '../support/tokens/jwts.ts'

const operations = {
  getStructuredMetadata: keeping('getStructuredMetadata'),
  getPlayerDetails: keeping('getPlayerDetails'),
}

let log: ReturnType<typeof capturedLog>
beforeEach(() => {
  log = capturedLog()
})

const { privateKey } = newKeyPair()
const jwtOf = (typ: string) =>
  signJwt(privateKey, { sub: '1002' }, { alg: 'ES256', typ, kid: 'bearer-key' })
const [playerToken, userJwt] = [jwtOf('player+jwt'), jwtOf('JWT')]

const places = 'in the header X-Player-Token or in the parameter playerToken'
const nothing = `is required: send the player token ${places}`
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
    ['a player token of another scheme', `Basic ${playerToken}`, nothing],
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

describe.each(Object.entries(operations))('D142: %s with a bearer token', (_, handler) => {
  const ask = async (authorization: string, more: { query?: string; sent?: string } = {}) => {
    const { query = '', sent } = more
    const sentHeaders = { 'x-api-key': goodApiKey, ...(sent && { 'x-player-token': sent }) }
    const { statusCode, json } = await invoke(handler, {
      headers: { ...sentHeaders, authorization },
      query,
    })
    return [statusCode, json.code, log.at(-1)?.['kid']]
  }

  test.each(['Bearer', 'bearer  '])(
    'verifies one whose header says player+jwt: %s',
    async (scheme) => {
      const refused = [401, 'invalid_player_token', 'bearer-key']
      expect(await ask(`${scheme} ${playerToken}`)).toEqual(refused)
      expect(await ask(`${scheme} ${playerToken}`, { query: 'playerToken=' })).toEqual(refused)
    },
  )

  test('ignores it beside the header X-Player-Token or the parameter playerToken, whatever it holds', async () => {
    for (const ignored of [`Bearer ${playerToken}`, `Bearer ${userJwt}`, 'Bearer x', 'Basic x']) {
      for (const place of [{ sent: goodPlayerToken }, { query: `playerToken=${goodPlayerToken}` }])
        expect(await ask(ignored, place)).toEqual([200, undefined, undefined])
      const foreign = { sent: 'eyJraWQiOiJzZW50In0.a.b' }
      expect(await ask(ignored, foreign)).toEqual([401, 'invalid_player_token', 'sent'])
    }
  })
})
