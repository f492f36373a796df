import { randomUUID } from 'node:crypto'
import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { newProviderKey, startIdentityProvider } from '../../support/tokens/identity-provider.ts'
import { newKeyPair, signJwt } from '../../support/tokens/jwts.ts'
import {
  algorithms,
  claims,
  containerOf,
  expectAccepted,
  expectRefused,
  expectUnavailable,
  failureOf,
  waitSeconds,
} from '../../support/tokens/key-set-container.ts'

/** A provider, and a container that knows nothing of it yet. `accepts`: expects a user JWT of the latest key to be accepted. */
async function newLogin() {
  const provider = await startIdentityProvider()
  const container = containerOf(provider)
  return { provider, container, accepts: () => expectAccepted(container, provider.sign(claims())) }
}

const unknownKey = 'no usable key with the kid'
const wrongSignature = 'no accepted key verifies it'

describe('D40: the key set is read when it is needed', () => {
  test('D40: one request for each container, and none while the set is cached', async () => {
    const { provider, accepts } = await newLogin()
    for (let call = 0; call < 3; call += 1) await accepts()
    expect(provider.requests()).toBe(1)
    waitSeconds(599)
    await accepts()
    expect(provider.requests()).toBe(1)
    waitSeconds(2)
    await accepts()
    expect(provider.requests()).toBe(2)
  })

  test('D40: simultaneous first calls share one request', async () => {
    const { provider, container } = await newLogin()
    const userJwt = provider.sign(claims())
    await Promise.all(Array.from({ length: 20 }, () => expectAccepted(container, userJwt)))
    expect(provider.requests()).toBe(1)
  })

  test('D40: a JWT with another algorithm, no JWT at all, or a player token causes no request', async () => {
    const { provider, container } = await newLogin()
    const other = await newProviderKey('PS256')
    const userJwt = await provider.sign(claims(), { key: other })
    await expectRefused(container.verify(userJwt), 'signed with an algorithm')
    await expectRefused(container.verify('garbage'), 'malformed')
    const playerToken = signJwt(newKeyPair().privateKey, {}, { alg: 'ES256', typ: 'player+jwt' })
    await expectRefused(container.verify(playerToken), 'This is a player token')
    expect(provider.requests()).toBe(0)
  })
})

describe('D40: rotation', () => {
  test('D40: a new key is accepted at once, however soon after the last request', async () => {
    const { provider, accepts } = await newLogin()
    for (let rotation = 0; rotation < 5; rotation += 1) {
      await accepts()
      provider.keys.push(await newProviderKey(algorithms[rotation % 3]))
    }
    expect(provider.requests()).toBe(5)
  })

  test('D40: simultaneous JWTs of a new key are all accepted, with one request', async () => {
    const { provider, container, accepts } = await newLogin()
    await accepts()
    provider.keys = [await newProviderKey()]
    const userJwt = provider.sign(claims())
    await Promise.all(Array.from({ length: 20 }, () => expectAccepted(container, userJwt)))
    expect(provider.requests()).toBe(2)
  })

  test('D40: the old key is accepted while it is published, and not later', async () => {
    const { provider, container, accepts } = await newLogin()
    const old = await provider.sign(claims())
    await expectAccepted(container, old)
    provider.keys.push(await newProviderKey())
    await accepts()
    await expectAccepted(container, old)
    provider.keys.shift()
    waitSeconds(601)
    await accepts()
    await expectRefused(container.verify(old), unknownKey)
  })

  test('D40: a provider without kid rotates too', async () => {
    const { provider, accepts } = await newLogin()
    const nameless = async () => await newProviderKey('RS256', { kid: undefined, alg: undefined })
    provider.keys = [await nameless()]
    await accepts()
    provider.keys.push(await nameless())
    await accepts()
    provider.keys = [await nameless()]
    await accepts()
    expect(provider.requests()).toBe(3)
  })

  test('D40: keys with the same kid are all tried', async () => {
    const { provider, container } = await newLogin()
    const ofMain = () => newProviderKey('RS256', { kid: 'main' })
    provider.keys = [await ofMain(), await ofMain()]
    for (const key of provider.keys)
      await expectAccepted(container, provider.sign(claims(), { key }))
  })

  test('D40: a key verifies its own algorithm only, also for a JWT without kid', async () => {
    const { provider, container } = await newLogin()
    const ofElse = await newProviderKey('EdDSA')
    provider.keys = [ofElse, await newProviderKey('ES256')]
    await expectAccepted(container, provider.sign(claims(), { kid: undefined }))
    await expectAccepted(container, provider.sign(claims(), { kid: undefined, key: ofElse }))
    const kid = ofElse.jwk.kid
    await expectRefused(container.verify(await provider.sign(claims(), { kid })), unknownKey)
  })

  test('D40: unknown keys cause one request in 10 s', async () => {
    const { provider, container, accepts } = await newLogin()
    await accepts()
    const strange = async () => await provider.sign(claims(), { key: await newProviderKey() })
    for (let call = 0; call < 3; call += 1) {
      await expectRefused(container.verify(await strange()), unknownKey)
    }
    expect(provider.requests()).toBe(2)
    const many = await Promise.all(Array.from({ length: 10 }, strange))
    waitSeconds(11)
    const refused = many.map((userJwt) => expectRefused(container.verify(userJwt), unknownKey))
    await Promise.all(refused)
    expect(provider.requests()).toBe(3)
    // A key that is known does not wait.
    await accepts()
  })

  test('D40: a wrong signature with a known kid is refused without a request', async () => {
    const { provider, container, accepts } = await newLogin()
    await accepts()
    const forger = await newProviderKey('RS256', { kid: provider.keys[0]?.jwk.kid })
    const forged = await provider.sign(claims(), { key: forger })
    await expectRefused(container.verify(forged), wrongSignature)
    expect(provider.requests()).toBe(1)
  })
})

describe('D40: a rotation beside JWTs whose keys nobody knows', () => {
  /** A provider, a container that has read its set, and user JWTs with a `kid` that nobody published, or with none. */
  async function attacked() {
    const { provider, container, accepts } = await newLogin()
    await accepts()
    const key = await newProviderKey()
    const userJwt = (kid?: string) => provider.sign(claims(), { key, kid })
    return {
      ...{ provider, container, accepts },
      /** Signs user JWTs, and returns the function that presents them all at once. */
      async strangers(count: number) {
        const unknown = await Promise.all(numbers(1, count).map(() => userJwt(randomUUID())))
        const nameless = await Promise.all(numbers(1, count).map(() => userJwt()))
        return () => [
          ...unknown.map((jwt) => expectRefused(container.verify(jwt), unknownKey)),
          ...nameless.map((jwt) => expectRefused(container.verify(jwt), wrongSignature)),
        ]
      },
      async unknown() {
        await expectRefused(container.verify(await userJwt(randomUUID())), unknownKey)
      },
      rotate: async () => {
        provider.keys = [await newProviderKey()]
      },
    }
  }

  test('D40: one every three seconds delays a new key by ten seconds at most', async () => {
    const { provider, container, unknown, rotate } = await attacked()
    const [read, accepted] = [[] as number[], [] as number[]]
    for (let second = 0; second < 60; second += 3) {
      const before = provider.requests()
      await unknown()
      if (provider.requests() > before) read.push(second)
      // The new key signs as soon as it is published, in the worst moment: right after a request.
      if (second === 24) await rotate()
      const failure = await failureOf(container.verify(await provider.sign(claims())))
      if (failure.message === 'no failure') accepted.push(second)
      waitSeconds(3)
    }
    expect(read).toEqual([0, 12, 24, 36, 48])
    expect(accepted).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 36, 39, 42, 45, 48, 51, 54, 57])
  })

  test('D40: a flood causes one request in 10 s, which brings the new key to all', async () => {
    const { provider, container, strangers, rotate } = await attacked()
    const read: number[] = []
    for (let second = 0; second <= 40; second += 1) {
      const before = provider.requests()
      if (second === 30) await rotate()
      const honest = second < 30 ? [] : Array(5).fill(await provider.sign(claims()))
      const presentAll = await strangers(10)
      await Promise.all([
        ...honest.map((userJwt) => expectAccepted(container, userJwt)),
        ...presentAll(),
      ])
      for (let count = before; count < provider.requests(); count += 1) read.push(second)
      waitSeconds(1)
    }
    expect(read).toEqual([0, 10, 20, 30, 40])
  })

  test('D40: failed requests are ten seconds apart too, and then bring the new key', async () => {
    const { provider, container, accepts, strangers, unknown, rotate } = await attacked()
    await rotate()
    const userJwt = await provider.sign(claims())
    provider.misbehave = (_, response) => response.writeHead(503).end()
    const failed: number[] = []
    for (let second = 0; second < 30; second += 3) {
      const before = provider.requests()
      await expectUnavailable(container.verify(userJwt), '')
      if (provider.requests() > before) failed.push(second)
      waitSeconds(3)
    }
    expect(failed).toEqual([0, 12, 24])
    provider.misbehave = undefined
    waitSeconds(4)
    const presentAll = await strangers(1)
    await Promise.all([expectAccepted(container, userJwt), ...presentAll()])
    await unknown()
    await rotate()
    await expectRefused(container.verify(await provider.sign(claims())), unknownKey)
    expect(provider.requests()).toBe(1 + 3 + 1)
    waitSeconds(10)
    await accepts()
  })
})
