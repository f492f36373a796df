import { randomBytes, randomInt } from 'node:crypto'
import { inject } from 'vitest'
import type { LambdaFunction } from '../../../local/lambda/lambda-function.ts'
import { mintUserJwt, type UserClaims, type UserJwtKey } from '../../../local/user-jwt.ts'
import { type Call, clientOf } from '../requests/client.ts'

/** What tests need to know of the service they talk to. */
export interface Target {
  url: string
  userJwtKey: UserJwtKey
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The service that all tests under test/api/ share. */
    target: Target
    /** The functions as bundled for this run. */
    functionsDir: string
    /** The same as the shared service runs them. */
    functions: Record<string, LambdaFunction>
  }
}

/** A service under test, with what tests begin with. */
export interface Service {
  url: string
  call: Call
  /** Registers a product of the test's own and answers its API key. */
  newProduct(): Promise<string>
  /** A user JWT for a user of the test's own, unless said otherwise. */
  userJwt(claims?: Partial<UserClaims>, lifetimeSeconds?: number): Promise<string>
  /** A player of the test's own, signed in, with these wallets. */
  newPlayer(wallets?: readonly string[]): Promise<Player>
}

export interface Player extends UserClaims {
  playerToken: string
}

/** The service at a target. */
export function serviceAt({ url, userJwtKey }: Target): Service {
  const call = clientOf(url)
  const service: Service = {
    url,
    call,
    async newProduct() {
      const answer = await call('POST /product', { body: registration() })
      return answer.json.data.apiKey
    },
    userJwt: async (claims = {}, lifetimeSeconds = 3600) =>
      await mintUserJwt(userJwtKey, { ...newUser(), ...claims }, lifetimeSeconds),
    async newPlayer(wallets = []) {
      const user = { ...newUser(), wallets }
      const userJwt = await service.userJwt(user)
      const answer = await call('GET /player/token', { userJwt })
      return { ...user, playerToken: answer.json.data.token }
    },
  }
  return service
}

/** The service that all tests under test/api/ share. */
export const sharedService = (): Service => serviceAt(inject('target'))

/** A registration that is accepted. */
export const registration = () => ({
  name: 'Lanterns of Brindlewake',
  contactEmail: 'studio@brindlewake.example',
  companyName: 'Gull Harbour Games',
})

/** An address that nobody else uses. */
export const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`

const newUser = (): UserClaims => ({
  userId: randomInt(2 ** 47),
  username: 'marrow_finch',
  wallets: [],
})
