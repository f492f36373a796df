import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import {
  type IdentityProvider,
  newProviderKey,
  startIdentityProvider,
} from '../support/tokens/identity-provider.ts'
import {
  claims,
  containerOf,
  expectAccepted,
  expectUnavailable,
  failureOf,
  waitSeconds,
} from '../support/tokens/key-set-container.ts'

describe('D40: an endpoint that is dead or hostile', () => {
  const tooLarge = JSON.stringify({ keys: [], padding: 'x'.repeat(300_000) })
  const misbehaviours: [string, IdentityProvider['misbehave'] & object, string][] = [
    ['fails', (_, response) => response.writeHead(500).end(), 'HTTP 500'],
    ['closes the connection', (_, { socket }) => socket?.destroy(), 'no connection: ECONNRESET'],
    ['closes the connection in the answer', halfAnAnswer, 'connection lost'],
    ['announces too much', (_, response) => response.end(tooLarge), 'over 256 KiB'],
    ['answers without end', endless, 'over 256 KiB'],
    ['answers with HTML', (_, response) => response.end('<html>'), 'not JSON'],
    ['answers with compressed data', compressed, 'an encoding that was not requested'],
    ...['null', '7', '[]', '{}', '{"keys":{}}', '{"keys":"x"}'].map(
      (body): [string, IdentityProvider['misbehave'] & object, string] => [
        `answers with ${body}`,
        (_, response) => response.end(body),
        'not a key set',
      ],
    ),
    ['has no key', (_, response) => response.end('{"keys":[]}'), 'no usable key'],
    ['has odd keys', (_, response) => response.end('{"keys":[null,1,"x",[],{}]}'), 'no usable key'],
    [
      'has too many keys',
      (_, response) => response.end(JSON.stringify({ keys: Array(101).fill({}) })),
      'over 100 keys',
    ],
  ]

  function halfAnAnswer(_: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-length': 100 })
    response.write('{"keys":', () => response.destroy())
  }
  function endless(_: IncomingMessage, response: ServerResponse): void {
    const more = () => {
      while (response.write('x'.repeat(10_000)));
      response.once('drain', more)
    }
    more()
  }
  function compressed(_: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
  }

  test.each(misbehaviours)('D40: one that %s lets nobody in: 503', async (_, misbehave, reason) => {
    const provider = await startIdentityProvider()
    provider.misbehave = misbehave
    await expectUnavailable(containerOf(provider).verify(await provider.sign(claims())), reason)
    expect(provider.requests()).toBe(1)
  })

  test.each([301, 302, 303, 307, 308])('D40: a redirect (%i) is not followed', async (status) => {
    const provider = await startIdentityProvider()
    const other = await startIdentityProvider()
    const location = other.jwksUrl
    provider.misbehave = (_, response) => response.writeHead(status, { location }).end()
    const container = containerOf(provider)
    await expectUnavailable(container.verify(await other.sign(claims())), `HTTP ${status}`)
    expect(other.requests()).toBe(0)
  })

  test.each<[string, IdentityProvider['misbehave'] & object]>([
    ['does not answer', () => undefined],
    [
      'answers byte by byte',
      (_, response) => {
        response.write('{')
        const timer = setInterval(() => response.write(' '), 100)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])(
    'D40: one that %s is given up, and the next call fails at once, for the same reason',
    async (_, misbehave) => {
      const provider = await startIdentityProvider()
      provider.misbehave = misbehave
      const container = containerOf(provider)
      const userJwt = await provider.sign(claims())
      await expectUnavailable(container.verify(userJwt), 'timed out')
      await expectUnavailable(container.verify(userJwt), 'key set of the login: timed out')
      expect(provider.requests()).toBe(1)
      provider.misbehave = undefined
      waitSeconds(11)
      await expectAccepted(container, userJwt)
    },
  )

  test('D40: nothing listens: 503, which says when to try again', async () => {
    const provider = await startIdentityProvider()
    const dead = { ...provider, jwksUrl: 'http://127.0.0.1:9/jwks.json' }
    const container = containerOf(dead)
    const userJwt = await provider.sign(claims())
    await expectUnavailable(container.verify(userJwt), 'no connection: ECONNREFUSED')
    waitSeconds(3)
    const failure = await failureOf(container.verify(userJwt))
    expect(failure).toMatchObject({ retryAfterSeconds: 7 })
  })

  test('D40, D137: cached keys stay accepted for an hour, with the reason in the log, and new keys are 503, not 401', async () => {
    waitSeconds(0)
    const provider = await startIdentityProvider()
    const container = containerOf(provider)
    await expectAccepted(container, provider.sign(claims()))
    provider.misbehave = (_, response) => response.writeHead(503).end()
    const added = await newProviderKey()
    await expectUnavailable(
      container.verify(await provider.sign(claims(), { key: added })),
      'HTTP 503',
    )
    waitSeconds(3599)
    const unreadKeys = await downstreamCalls.during(async () => {
      await expectAccepted(container, provider.sign(claims()))
      return requestSubject.current().unreadKeys
    })
    expect(unreadKeys).toBe('key set of the login: HTTP 503')
    waitSeconds(2)
    await expectUnavailable(container.verify(await provider.sign(claims())), 'HTTP 503')
    waitSeconds(10)
    await expectUnavailable(container.verify(await provider.sign(claims())), 'HTTP 503')
    provider.misbehave = undefined
    waitSeconds(10)
    await expectAccepted(container, provider.sign(claims()))
  })

  test('D40: the request names no user, and asks for nothing but the set', async () => {
    const provider = await startIdentityProvider()
    let seen: IncomingMessage | undefined
    provider.misbehave = (request, response) => {
      seen = request
      response.end(JSON.stringify({ keys: provider.keys.map(({ jwk }) => jwk) }))
    }
    await expectAccepted(containerOf(provider), provider.sign(claims()))
    expect([seen?.method, seen?.url]).toEqual(['GET', '/.well-known/jwks.json'])
    expect(seen?.headers).toMatchObject({ accept: 'application/json, application/jwk-set+json' })
    expect(Object.keys(seen?.headers ?? {})).not.toContain('authorization')
  })
})
