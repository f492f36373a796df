import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Service, serviceAt } from '../support/services/service.ts'
import { newProviderKey } from '../support/tokens/identity-provider.ts'
import { type Deployment, setIndexerKey, settings } from './deployment.ts'
import type { TestLogin } from './login-key-sets.ts'
import type { Place } from './place.ts'
import type { Tally } from './tally.ts'

/** A deployment that gets two logins beside the key of the stack. */
export interface SeveralLogins {
  place: Place
  deploy(name: string, changes: object): Promise<Deployment>
  /** A login whose key is rotated, and one whose key set is down meanwhile. */
  rotating: TestLogin
  away: TestLogin
}

const ownIssuer = 'https://nfts.studio.example'

/** The pause of a function after a request for keys that failed (D40), and a second, in milliseconds. */
const coolDown = 11_000

/**
 * Two logins run beside the key of the stack, through a key rotation of one while the key set of the other is down, also with
 * functions that have never read it. The keys of player tokens are published all the time (D90).
 */
export async function checkSeveralLogins(
  { place, deploy, rotating, away }: SeveralLogins,
  tally: Tally,
): Promise<void> {
  const logins = [rotating, away].map(({ issuer, audience, jwksUrl }) => ({
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
  const watch = watchKeySet(service)
  await tally.check('D90: Both logins and the key of the stack sign users in', async () => {
    const tokens = [await rotating.sign('user-1'), await away.sign('user-1')]
    const ids = await Promise.all([...tokens, await service.userJwt()].map(idOf(service)))
    assert.equal(new Set(ids).size, 3)
    assert.deepEqual(await Promise.all(tokens.map(idOf(service))), ids.slice(0, 2))
    await expectPlayer(service, before.playerToken)
  })
  await tally.check('D90: No key of one login verifies a JWT of the other', async () => {
    assert.equal(await statusOf(service, await rotating.sign('user-1', away.issuer)), 401)
    assert.equal(await statusOf(service, await away.sign('user-1', rotating.issuer)), 401)
  })

  away.isDown = true
  await tally.check('D90: One login rotates its key while the other is down', async () => {
    const [old] = rotating.keys
    rotating.keys.push(await newProviderKey('ES256'))
    await untilAccepted(service, rotating)
    rotating.keys = rotating.keys.filter((key) => key !== old)
    await untilAccepted(service, rotating)
    // The functions know its keys for an hour.
    assert.equal(await statusOf(service, await away.sign('user-1')), 200)
  })
  await deploy('new functions', { ...listed, memoryMegabytes: 512 })
  await tally.check('D90: Functions that never read its set leave it out', async () => {
    assert.equal(await statusOf(service, await away.sign('user-1')), 503)
    assert.equal(await statusOf(service, await rotating.sign('user-1')), 200)
    const { headers, json } = await service.call('GET /.well-known/jwks.json')
    assert.equal(headers.get('cache-control'), 'public, max-age=10')
    assert.deepEqual(kidsOf(json, away), [])
    assert.equal(kidsOf(json, rotating).length, 1)
    await expectPlayer(service, before.playerToken)
  })
  away.isDown = false
  await tally.check('D90: It is read again when it is back', async () => {
    await sleep(coolDown)
    assert.equal(await statusOf(service, await away.sign('user-1')), 200)
    const { headers, json } = await service.call('GET /.well-known/jwks.json')
    assert.equal(headers.get('cache-control'), 'public, max-age=300')
    assert.equal(kidsOf(json, away).length, 1)
  })
  await tally.check('D90: The keys of player tokens were published all the time', watch.end)
}

const statusOf = async (service: Service, userJwt: string): Promise<number> =>
  (await service.call('GET /player/token', { userJwt })).status

const idOf =
  (service: Service) =>
  async (userJwt: string): Promise<number> => {
    const { status, text, json } = await service.call('GET /player/token', { userJwt })
    assert.equal(status, 200, text)
    return await expectPlayer(service, json.data.token)
  }

/** A player token is accepted. Returns the user id of its player. */
async function expectPlayer({ call }: Service, playerToken: string): Promise<number> {
  const { status, text, json } = await call('GET /player/details', { playerToken })
  assert.equal(status, 200, text)
  return json.data.userId
}

/** A JWT of the key that signs now is accepted within the pause between two requests for unknown keys. */
async function untilAccepted(service: Service, login: TestLogin): Promise<void> {
  const end = Date.now() + coolDown
  for (;;) {
    const status = await statusOf(service, await login.sign('user-1'))
    if (status === 200) return
    assert.ok(Date.now() < end, `a new key is not accepted after ${coolDown} ms: ${status}`)
    await sleep(500)
  }
}

const kidsOf = ({ keys }: { keys: { kid: string }[] }, login: TestLogin): string[] =>
  keys.flatMap(({ kid }) => (login.keys.some(({ jwk }) => jwk.kid === kid) ? [kid] : []))

/** Reads the key set until the end, which rejects if one answer was no 200 or had not the key of player tokens. */
function watchKeySet({ call }: Service): { end(): Promise<void> } {
  const faults: string[] = []
  const ending = { isEnding: false }
  let signing: string | undefined
  let answers = 0
  const watching = (async () => {
    while (!ending.isEnding) {
      const { status, text, json } = await call('GET /.well-known/jwks.json')
      const [first] = json?.keys ?? []
      signing ??= first?.kid
      if (status !== 200) faults.push(`${status} ${text}`)
      else if (first?.kid !== signing) faults.push(`no key of player tokens: ${text}`)
      answers += 1
      await sleep(250)
    }
  })()
  return {
    async end() {
      ending.isEnding = true
      await watching
      assert.deepEqual(faults, [])
      assert.ok(answers > 50, `only ${answers} answers`)
    },
  }
}
