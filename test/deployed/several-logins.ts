import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type JWTPayload, SignJWT } from 'jose'
import { setIndexerKey } from '../../scripts/deploy-local/complete-deployment.ts'
import type { Ministack } from '../../scripts/deploy-local/ministack.ts'
import type { Place } from '../../scripts/deploy-local/place.ts'
import { type Service, serviceAt } from '../support/services/service.ts'
import { newProviderKey } from '../support/tokens/identity-provider.ts'
import { type Deployment, settings } from './deployment.ts'
import { succeed } from './survival.ts'
import type { Tally } from './tally.ts'

interface TestLogin {
  issuer: string
  audience: string
  jwksUrl: string
  /** A user JWT for a subject. */
  sign(subject: string): Promise<string>
}

/** Starts a login whose key set is served with TLS on 127.0.0.1, with the certificate of the emulator in `dir`. */
export async function startLogin(
  issuer: string,
  { certificate }: Pick<Ministack, 'certificate'>,
  dir: string,
  cleanup: AsyncDisposableStack,
): Promise<TestLogin> {
  const { jwk, privateKey } = await newProviderKey('ES256')
  const key = await readFile(join(dir, 'ministack/key.pem'), 'utf8')
  const server = createServer({ cert: certificate, key }, (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [jwk] }))
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
    async sign(subject) {
      const claims: JWTPayload = { username: 'neo', wallets: [], iss: issuer, aud: login.audience }
      return await new SignJWT({ ...claims, sub: subject })
        .setProtectedHeader({ alg: 'ES256', kid: `${jwk.kid}` })
        .setIssuedAt()
        .setExpirationTime('10m')
        .sign(privateKey)
    },
  }
  return login
}

/** A deployment that gets two logins beside the key of the stack. */
export interface SeveralLogins {
  place: Place
  deploy(name: string, changes: object): Promise<Deployment>
  logins: readonly [TestLogin, TestLogin]
}

const ownIssuer = 'https://nfts.studio.example'

/** Two logins run beside the key of the stack (D90). test/service/several-logins.test.ts rotates a key while the other set is down. */
export async function checkSeveralLogins(
  { place, deploy, logins: [one, other] }: SeveralLogins,
  tally: Tally,
): Promise<void> {
  const logins = [one, other].map(({ issuer, audience, jwksUrl }) => ({
    ...{ issuer, jwksUrl, audiences: [audience] },
  }))
  const listed = { logins, userIds: 'assigned', playerTokenIssuers: [ownIssuer, settings.issuer] }
  const deployment = await deploy('one login', {})
  await setIndexerKey(place, deployment)
  const service = serviceAt(deployment.target)
  const before = await service.newPlayer([])

  await tally.check('D90: An update that would end every player token is refused', async () => {
    const ending = { ...listed, playerTokenIssuers: [ownIssuer] }
    await assert.rejects(deploy('no issuer', ending), ({ message }: Error) =>
      message.includes(`playerTokenIssuers: "${settings.issuer}", which player tokens get now`),
    )
    await expectPlayer(service, before.playerToken)
  })
  await deploy('two logins', listed)
  await tally.check('D90: Both logins and the key of the stack sign users in', async () => {
    const tokens = [await one.sign('user-1'), await other.sign('user-1')]
    const ids = await Promise.all([...tokens, await service.userJwt()].map(idOf(service)))
    assert.equal(new Set(ids).size, 3)
    assert.deepEqual(await Promise.all(tokens.map(idOf(service))), ids.slice(0, 2))
    await expectPlayer(service, before.playerToken)
  })
}

const idOf =
  (service: Service) =>
  async (userJwt: string): Promise<number> => {
    const { json } = await succeed(service, 'GET /player/token', { userJwt })
    return await expectPlayer(service, json.data.token)
  }

/** A player token is accepted. Returns the user id of its player. */
const expectPlayer = async (service: Service, playerToken: string): Promise<number> =>
  (await succeed(service, 'GET /player/details', { playerToken })).json.data.userId
