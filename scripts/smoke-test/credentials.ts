import { decodeJwt } from 'jose'

/** The credentials with which a smoke test logs in, and reads a player's NFTs. */
export interface Credentials {
  readonly apiKey?: string
  readonly playerToken?: string
  readonly userJwt?: string
  /** The product for whose game the player token is that it creates (D52). */
  readonly productId?: string
}

/**
 * Reads API_KEY, PLAYER_TOKEN, USER_JWT and PRODUCT_ID. An empty variable is the same as none, because GitHub passes a secret that does not
 * exist as empty text. Throws an Error that names the variable, and never contains its value.
 */
export function credentialsFrom(env: NodeJS.ProcessEnv): Credentials {
  const [apiKey, playerToken] = [credential(env, 'API_KEY'), credential(env, 'PLAYER_TOKEN')]
  if (playerToken && !apiKey) throw new Error('PLAYER_TOKEN also needs API_KEY.')
  const [userJwt, productId] = [credential(env, 'USER_JWT'), credential(env, 'PRODUCT_ID')]
  return {
    ...(apiKey && { apiKey }),
    ...(playerToken && { playerToken }),
    ...(userJwt && { userJwt }),
    ...(productId && { productId }),
  }
}

function credential(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]?.trim() ?? ''
  // The error of `fetch` about such a header contains the value.
  if (/[^\x21-\x7e]/.test(value)) throw new Error(`${name} contains white space or control codes.`)
  return value
}

/** Why a player token cannot be used any more, as its claim `exp` says, or undefined. Its signature is not verified. */
export function whyExpired(playerToken: string): string | undefined {
  const expiresAt = expirySeconds(playerToken)
  if (expiresAt === undefined) return 'PLAYER_TOKEN is not a JWT with the claim exp'
  if (expiresAt > Date.now() / 1000) return undefined
  const time = new Date(expiresAt * 1000).toISOString()
  return `PLAYER_TOKEN has expired at ${time}: a player token is valid for 24 hours, so create a new one`
}

function expirySeconds(jwt: string): number | undefined {
  try {
    return decodeJwt(jwt).exp
  } catch {
    return undefined
  }
}
