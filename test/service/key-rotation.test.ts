import { KMSClient } from '@aws-sdk/client-kms'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { playerTokenLifetimeSeconds } from '../../lib/domain/player/player.ts'
import { startLambdaHost } from '../../local/lambda/lambda-host.ts'
import type { Received } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { thumbprint } from '../support/tokens/jwts.ts'
import { type SigningKey, spki } from '../support/tokens/rotated-keys.ts'
import { type Ask, rotatedTokens } from '../support/tokens/rotated-tokens.ts'
import { meetings, type Step } from '../support/tokens/rotation.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const minute = 60
const hour = 60 * minute

/** The lifetime of the tokens: of player tokens by D23; the login gives user JWTs no longer lifetime. */
const lifetime = playerTokenLifetimeSeconds

/** The rotation from key a to key b in three deployments. */
const rotation: readonly Step[] = [
  { keys: ['a'], afterSeconds: 0 },
  // Key b is published and accepted.
  { keys: ['a', 'b'], afterSeconds: 0 },
  // Key b signs, once no cache holds a key set without it.
  { keys: ['b', 'a'], afterSeconds: 10 * minute },
  // Key a is removed, once the last token that it signed has expired and its holder has had time to learn so.
  { keys: ['b'], afterSeconds: lifetime + 10 * minute },
]

/** Ages at which a token is valid, in seconds. */
const ages: [string, number][] = [
  ['created just now', 0],
  ['ten minutes old', 10 * minute],
  ['a minute before its expiry', lifetime - minute],
]

const service = await startOwnService({}, atFileEnd)
const kms = new KMSClient(service.stack.aws)
atFileEnd(() => kms.destroy())

/** Functions with these variables in addition to those of the stack. */
function startFunctions(variables: Record<string, string>): Ask {
  const functions = Object.fromEntries(
    Object.entries(service.stack.functions).map(([name, definition]) => [
      name,
      { ...definition, env: { ...definition.env, ...variables } },
    ]),
  )
  const host = startLambdaHost({ functions, log: () => undefined })
  atFileEnd(() => host.close())
  return (id, sent = {}) => invokeFunction(host, id, sent)
}

const kidOf = ({ publicKey }: SigningKey) => thumbprint(publicKey)

/** The verification of tokens. */
interface Verification {
  /** How long, in seconds, a verifier may use a cached key set. */
  staleSeconds: number
  /** The verdict of each verifier on a token at a step: `getRawMetadata: accepted`. */
  verdicts(at: Step, token: string): Promise<string[]>
}

/** The verdict of an operation on a token. */
function verdictOf({ status, json }: Received): string {
  if (status === 200) return 'accepted'
  const isExpired =
    json.code === 'player_token_expired' || json.detail === 'The user JWT has expired.'
  return isExpired ? 'expired' : json.code
}

describe.each(await rotatedTokens(service, kms))('rotating the key of %s', (_, kind) => {
  const keysAt = ({ keys }: Step) => keys.map((name) => kind.keys[name])
  const started = new Map<string, Ask>()

  /** The functions of a step. */
  function functionsAt(step: Step): Ask {
    const settings = keysAt(step)
      .map(({ setting }) => setting)
      .join()
    const ask = started.get(settings) ?? startFunctions(kind.variables(settings))
    started.set(settings, ask)
    return ask
  }

  /** A token of that age, signed at a step. */
  async function tokenOf(step: Step, ageSeconds: number): Promise<string> {
    if (ageSeconds === 0 && kind.mint) return await kind.mint(functionsAt(step))
    const iat = Math.floor(Date.now() / 1000) - ageSeconds
    const claims = { ...kind.claims, iat, exp: iat + lifetime }
    return await kind.keys[step.keys[0]].sign(kind.typ, claims)
  }

  /** The functions at a step. */
  const byFunctions: Verification = {
    staleSeconds: 0,
    verdicts: (step, token) =>
      Promise.all(
        kind.operations.map(async (id) => {
          const answer = await functionsAt(step)(id, kind.sent(token))
          return `${id}: ${verdictOf(answer)}`
        }),
      ),
  }

  /** Game servers with the key set of a step, cached for the longest permitted time (D32). */
  const byKeySet: Verification = {
    staleSeconds: routes.getKeySet.maxAgeSeconds,
    async verdicts(step, token) {
      const { json } = await functionsAt(step)('getKeySet')
      const verified = jwtVerify(token, createLocalJWKSet(json)).then(() => 'accepted')
      return [`key set: ${await verified.catch(({ code }) => code)}`]
    },
  }

  /** The verdicts other than `verdict` on tokens of an age, wherever they can be used during a rotation. */
  async function exceptions(
    verdict: string,
    steps: readonly Step[],
    ageSeconds: number,
    { staleSeconds, verdicts }: Verification,
  ): Promise<string[]> {
    const tokens = new Map<Step, string>()
    for (const step of steps) tokens.set(step, await tokenOf(step, ageSeconds))
    const said = meetings(steps, ageSeconds, staleSeconds).map(async ({ signing, verifying }) => {
      const lines = await verdicts(verifying, tokens.get(signing) ?? '')
      const where = `signed at [${signing.keys}], come to [${verifying.keys}]`
      return lines.map((line) => `${where}, ${line}`)
    })
    return (await Promise.all(said)).flat().filter((line) => !line.endsWith(`: ${verdict}`))
  }

  test.each(ages)(
    'a token %s is accepted by every function that can receive it',
    async (_, age) => {
      expect(await exceptions('accepted', rotation, age, byFunctions)).toEqual([])
    },
  )

  test.each(ages)('D32: a token %s is verified with every cached key set', async (_, age) => {
    expect(await exceptions('accepted', rotation, age, byKeySet)).toEqual([])
  })

  test('a token that expired a minute ago is rejected as expired, never as invalid', async () => {
    expect(await exceptions('expired', rotation, lifetime + minute, byFunctions)).toEqual([])
  })

  test.each(rotation)('D32: the key set contains the keys $keys', async (step) => {
    const { json } = await functionsAt(step)('getKeySet')
    const published: string[] = json.keys.map(({ kid }: { kid: string }) => kid)
    const kids = Object.values(kind.keys).map(kidOf)
    expect(published.filter((kid) => kids.includes(kid))).toEqual(keysAt(step).map(kidOf))
  })

  if (kind.mint) {
    test.each(rotation)('D23: the first key of $keys signs', async (step) => {
      const { kid } = decodeProtectedHeader(await tokenOf(step, 0))
      expect(kid).toBe(kidOf(kind.keys[step.keys[0]]))
    })
  } else {
    test.each(rotation)('D32: the first key of $keys is the public key', async (step) => {
      const { json } = await functionsAt(step)('getPublicKey')
      expect(json.data).toEqual({ publicKey: spki(kind.keys[step.keys[0]].publicKey) })
    })
  }

  /** The places where valid tokens of any age would be rejected. */
  async function refusals(steps: readonly Step[], by: Verification): Promise<string> {
    const said = ages.map(([, age]) => exceptions('accepted', steps, age, by))
    return (await Promise.all(said)).flat().join()
  }

  test('valid tokens would be rejected without the first deployment', async () => {
    const steps = rotation.toSpliced(1, 1)
    expect(await refusals(steps, byFunctions)).toContain('signed at [b,a], come to [a],')
  })

  test('valid tokens would be rejected if b signed a minute after its publication', async () => {
    const steps = rotation.with(2, { keys: ['b', 'a'], afterSeconds: minute })
    expect(await refusals(steps, byKeySet)).toContain('signed at [b,a], come to [a],')
  })

  test('valid tokens would be rejected if a were removed twelve hours after it signed', async () => {
    const steps = rotation.with(3, { keys: ['b'], afterSeconds: 12 * hour })
    expect(await refusals(steps, byFunctions)).toContain('signed at [a,b], come to [b],')
  })
})
