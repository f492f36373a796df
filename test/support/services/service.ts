import { randomBytes, randomInt } from 'node:crypto'
import type { LambdaFunction } from '@player-nfts/local/lambda/lambda-function'
import { mintUserJwt, type UserClaims, type UserJwtKey } from '@player-nfts/local/user-jwt'
import { inject } from 'vitest'
import { clientOf } from '../requests/client.ts'

/** What tests need to know about the service that they call. */
export interface Target {
  url: string
  userJwtKey: UserJwtKey
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The service that all tests under test/api/ share. */
    target: Target
    /** The folder of the functions bundled for this run. */
    functionsDir: string
    /** The functions as the shared service runs them. */
    functions: Record<string, LambdaFunction>
  }
}

/** A service under test, with functions that create test data. */
export type Service = ReturnType<typeof serviceAt>

export type Player = Awaited<ReturnType<Service['newPlayer']>>

export function serviceAt({ url, userJwtKey }: Target) {
  const call = clientOf(url)
  /** A user JWT for a new user by default. */
  const userJwt = async (claims: Partial<UserClaims> = {}, lifetimeSeconds = 3600) =>
    await mintUserJwt(userJwtKey, { ...newUser(), ...claims }, lifetimeSeconds)
  return {
    ...{ url, call, userJwt },
    async newProduct(): Promise<string> {
      const answer = await call('POST /product', { body: registration() })
      return answer.json.data.apiKey
    },
    /** A new player with a player token and these wallets. */
    async newPlayer(wallets: readonly string[] = []) {
      const user = { ...newUser(), wallets }
      const answer = await call('GET /player/token', { userJwt: await userJwt(user) })
      return { ...user, playerToken: answer.json.data.token as string }
    },
  }
}

/** The service that all tests under test/api/ share. */
export const sharedService = (): Service => serviceAt(inject('target'))

/** A registration that is accepted. */
export const registration = () => ({
  name: 'Lanterns of Brindlewake',
  contactEmail: 'studio@brindlewake.example',
  companyName: 'Gull Harbour Games',
})

/** An address that no other test uses. */
export const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`

const newUser = (): UserClaims => ({
  userId: randomInt(2 ** 47),
  username: 'marrow_finch',
  wallets: [],
})
