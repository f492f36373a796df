import { KMSClient } from '@aws-sdk/client-kms'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { type OperationId, operationIds, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { startContainers, withVariables } from '../support/services/containers.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { thumbprint } from '../support/tokens/jwts.ts'
import {
  keyElsewhere,
  kmsKey,
  publicKeysOf,
  type SigningKey,
  spki,
} from '../support/tokens/rotated-keys.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

/** The keys of a rotation, from key a to key b. */
type KeyName = 'a' | 'b'

/** Calls the function of an operation at a step of a rotation. */
type Ask = (id: OperationId, sent?: Sent) => Promise<Received>

/** A kind of token whose key is rotated. */
interface RotatedTokens {
  keys: Record<KeyName, SigningKey>
  /** The environment variables of functions with these keys. */
  variables(keySettings: string): Record<string, string>
  typ: string
  claims: Record<string, unknown>
  /** The operations that verify such a token, and the request that sends it. */
  operations: OperationId[]
  sent(token: string): Sent
  /** Makes a function sign a token, for the kinds that functions sign. */
  mint?(ask: Ask): Promise<string>
}

/** The accepted keys of four deployments, of which the first signs: b is published, signs, and is left alone. */
const steps: readonly (readonly [KeyName, ...KeyName[]])[] = [['a'], ['a', 'b'], ['b', 'a'], ['b']]

/** The age of a token that expires in a minute, in seconds. */
const old = 86_400 - 60

const service = await startOwnService({}, atFileEnd)
const kms = new KMSClient(service.stack.aws)
atFileEnd(() => kms.destroy())

/** Player tokens, user JWTs, and user JWTs of an external login, for one player; each with two keys. */
async function rotatedTokens(): Promise<[string, RotatedTokens][]> {
  const { newPlayer, newProduct, userJwt, stack } = service
  const { userId, username, wallets } = await newPlayer()
  const apiKey = await newProduct()
  const { issuer: iss, audience } = stack.userJwtKey
  const { PLAYER_TOKEN_AUDIENCE: aud } = stack.functions['create-player-token']?.env ?? {}
  const sub = `${userId}`

  const keys = { a: await kmsKey(kms), b: await kmsKey(kms) }
  const playerTokens: RotatedTokens = {
    keys,
    variables: (arns) => ({
      PLAYER_TOKEN_KEY_ARNS: arns,
      PLAYER_TOKEN_PUBLIC_KEYS: publicKeysOf(Object.values(keys), arns),
    }),
    typ: 'player+jwt',
    claims: { iss, aud, sub, jti: 'test' },
    operations: operationIds.filter((id) => (routes[id] as Route).player),
    sent: (playerToken) => ({ apiKey, playerToken }),
    async mint(ask) {
      const user = await userJwt({ userId, username, wallets })
      return (await ask('createPlayerToken', { userJwt: user })).json.data.token
    },
  }
  const userJwts: RotatedTokens = {
    keys: { a: await kmsKey(kms), b: await kmsKey(kms) },
    variables: (arns) => ({ USER_JWT_KEY_ARNS: arns }),
    typ: 'JWT',
    claims: { iss, aud: audience, sub, username, wallets },
    operations: operationIds.filter((id) => routes[id].auth === 'USER'),
    sent: (token) => ({ userJwt: token }),
  }
  const userJwtsOfElsewhere: RotatedTokens = {
    ...userJwts,
    keys: { a: keyElsewhere(), b: keyElsewhere() },
    variables: (publicKeys) => ({ USER_JWT_KEY_ARNS: '', USER_JWT_PUBLIC_KEYS: publicKeys }),
  }
  return [
    ['player tokens', playerTokens],
    ['user JWTs', userJwts],
    ['user JWTs of an external login', userJwtsOfElsewhere],
  ]
}

/** Functions with these variables in addition to those of the stack. */
function startFunctions(variables: Record<string, string>): Ask {
  const host = startContainers(withVariables(service.stack.functions, variables))
  return (id, sent = {}) => invokeFunction(host, id, sent)
}

/** The verdict of an operation on a token. */
function verdictOf({ status, json }: Received): string {
  if (status === 200) return 'accepted'
  const isExpired =
    json.code === 'player_token_expired' || json.detail === 'The user JWT has expired.'
  if (isExpired) return 'expired'
  return status === 401 ? 'refused' : `${status} ${json.code}`
}

describe.each(await rotatedTokens())('rotating the key of %s', (_, kind) => {
  const deployments = steps.map((keys) =>
    startFunctions(kind.variables(keys.map((name) => kind.keys[name].setting).join())),
  )

  /** A token of that age, signed by a deployment. */
  async function tokenOf(step: number, ageSeconds: number): Promise<string> {
    if (ageSeconds === 0 && kind.mint) return await kind.mint(deployments[step] as Ask)
    const iat = Math.floor(Date.now() / 1000) - ageSeconds
    const claims = { ...kind.claims, iat, exp: iat + 86_400 }
    return await kind.keys[steps[step]?.[0] ?? 'a'].sign(kind.typ, claims)
  }

  /** What each deployment says of a token: all functions that can receive it, and a game server with its key set. */
  const verdicts = async (token: string) =>
    await Promise.all(
      deployments.map(async (ask) => {
        const answers = kind.operations.map(async (id) =>
          verdictOf(await ask(id, kind.sent(token))),
        )
        const { json } = await ask('getKeySet')
        const verified = jwtVerify(token, createLocalJWKSet(json)).then(() => 'accepted')
        const byKeySet = verified.catch(({ code }) =>
          code === 'ERR_JWT_EXPIRED' ? 'expired' : 'refused',
        )
        return [...new Set(await Promise.all([...answers, byKeySet]))].join()
      }),
    )

  test('D32: a valid token is accepted by the deployments beside that which signed it', async () => {
    for (const age of [0, old]) {
      const ofA = ['accepted', 'accepted', 'accepted', 'refused']
      const ofB = ['refused', 'accepted', 'accepted', 'accepted']
      const said = steps.map(async (_, step) => verdicts(await tokenOf(step, age)))
      expect(await Promise.all(said)).toEqual([ofA, ofA, ofB, ofB])
    }
    const expired = await verdicts(await tokenOf(1, 86_460))
    expect(expired.slice(0, 3)).toEqual(['expired', 'expired', 'expired'])
  })

  test('D23, D32: the first key signs, or is the public key, and all are published', async () => {
    for (const [step, ask] of deployments.entries()) {
      const keys = (steps[step] ?? []).map((name) => kind.keys[name].publicKey)
      const { json } = await ask('getKeySet')
      const published = json.keys.map(({ kid }: { kid: string }) => kid)
      expect(published).toEqual(expect.arrayContaining(keys.map(thumbprint)))
      const [first] = keys
      if (kind.mint) {
        const { kid } = decodeProtectedHeader(await tokenOf(step, 0))
        expect(kid).toBe(first && thumbprint(first))
      } else {
        const { data } = (await ask('getPublicKey')).json
        expect(data).toEqual({ publicKey: first && spki(first) })
      }
    }
  })
})
