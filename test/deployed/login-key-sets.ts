import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type JWTPayload, SignJWT } from 'jose'
import { newProviderKey } from '../support/tokens/identity-provider.ts'
import type { Ministack } from './ministack.ts'

type ProviderKey = Awaited<ReturnType<typeof newProviderKey>>

/** A login with a key set, which can be down. */
export interface TestLogin {
  issuer: string
  audience: string
  jwksUrl: string
  /** The published keys. The last one signs. */
  keys: ProviderKey[]
  isDown: boolean
  /** A user JWT for a subject, by default with the issuer of the login. */
  sign(subject: string, iss?: string): Promise<string>
}

/**
 * Starts a login whose key set is served with TLS on a free port of 127.0.0.1. The functions trust its certificate, which is
 * that of the emulator in the folder of the run.
 */
export async function startLogin(
  issuer: string,
  { certificate }: Pick<Ministack, 'certificate'>,
  dir: string,
  cleanup: AsyncDisposableStack,
): Promise<TestLogin> {
  const key = await readFile(join(dir, 'ministack/key.pem'), 'utf8')
  const server = createServer({ cert: certificate, key }, (_, response) => {
    if (login.isDown) return response.writeHead(500).end()
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ keys: login.keys.map(({ jwk }) => jwk) }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  cleanup.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const login: TestLogin = {
    issuer,
    audience: 'player-nfts',
    jwksUrl: `https://127.0.0.1:${port}/jwks.json`,
    keys: [await newProviderKey('ES256')],
    isDown: false,
    async sign(subject, iss = issuer) {
      const { jwk, privateKey } = login.keys.at(-1) as ProviderKey
      const claims: JWTPayload = { username: 'neo', wallets: [], iss, aud: login.audience }
      return await new SignJWT({ ...claims, sub: subject })
        .setProtectedHeader({ alg: 'ES256', kid: `${jwk.kid}` })
        .setIssuedAt()
        .setExpirationTime('10m')
        .sign(privateKey)
    },
  }
  return login
}
