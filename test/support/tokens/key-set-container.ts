import { expect, onTestFinished, vi } from 'vitest'
import { remoteKeys } from '../../../lib/adapters/jose/remote-keys.ts'
import { joseUserJwts } from '../../../lib/adapters/jose/user-jwts.ts'
import { InvalidUserJwt } from '../../../lib/domain/credential-failures.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { IdentityProvider } from './identity-provider.ts'

/** The algorithms that the containers accept. */
export const algorithms = ['RS256', 'ES256', 'EdDSA']

Object.assign(process.env, {
  ISSUER: 'https://id.studio.example/',
  USER_JWT_AUDIENCE: 'platform',
  PLAYER_TOKEN_AUDIENCE: 'games',
  // Each container has a key set of its own. This one is never read.
  USER_JWT_JWKS_URL: 'https://id.studio.example/jwks.json',
  USER_JWT_ALGORITHMS: algorithms.join(),
})

/** Claims that the containers accept. */
export function claims() {
  const now = Math.floor(Date.now() / 1000)
  const { ISSUER: iss, USER_JWT_AUDIENCE: aud } = process.env
  const user = { sub: '42', username: 'neo', wallets: [] }
  return { iss: `${iss}`, aud: `${aud}`, ...user, iat: now, exp: now + 3600 }
}

type Container = ReturnType<typeof containerOf>

/** The keys of a provider as a new container has them, and the verification of its user JWTs. */
export function containerOf({ jwksUrl }: Pick<IdentityProvider, 'jwksUrl'>) {
  const keys = remoteKeys({ url: jwksUrl, algorithms })
  const userJwts = joseUserJwts(keys)
  return { keys, verify: (userJwt: string): Promise<unknown> => userJwts.verify(userJwt) }
}

/** Expects that a container accepts a user JWT with {@link claims}. */
export async function expectAccepted(
  { verify }: Container,
  userJwt: string | Promise<string>,
): Promise<void> {
  expect(await verify(await userJwt)).toMatchObject({ subject: '42' })
}

/** The error with which a call fails. */
export const failureOf = (run: Promise<unknown>): Promise<Error> =>
  run.then(
    () => new Error('no failure'),
    (error) => error,
  )

/** Expects a 401 with this text. */
export async function expectRefused(run: Promise<unknown>, text: string): Promise<void> {
  const failure = await failureOf(run)
  expect(failure).toBeInstanceOf(InvalidUserJwt)
  expect(failure.message).toContain(text)
}

/** Expects a 503 with this reason and a Retry-After. */
export async function expectUnavailable(run: Promise<unknown>, reason: string): Promise<void> {
  const failure = await failureOf(run)
  expect(failure).toBeInstanceOf(ServiceUnavailable)
  expect(failure).toMatchObject({ retryAfterSeconds: expect.any(Number) })
  expect((failure as ServiceUnavailable).reason).toContain(reason)
}

/** Moves the clock, and no other timer, forward by this number of seconds, until the test ends. */
export function waitSeconds(seconds: number): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 })
  onTestFinished(() => void vi.useRealTimers())
}
