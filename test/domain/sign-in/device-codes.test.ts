import { describe, expect, test } from 'vitest'
import { hmacDeviceCodes } from '../../../lib/adapters/hmac/sign-in-texts.ts'
import { askingNetwork, unknownNetwork } from '../../../lib/domain/sign-in/asking-network.ts'
import { parseUserCode, userCodeText } from '../../../lib/domain/sign-in/device-grant.ts'

test('D101: a user code has 8 of 20 letters, and is read as people type it', () => {
  const { newUserCode } = hmacDeviceCodes('the secret')
  const codes = Array.from({ length: 500 }, newUserCode)
  for (const code of codes) {
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
    const text = userCodeText(code)
    expect(text).toBe(`${code.slice(0, 4)}-${code.slice(4)}`)
    for (const typed of [code, text, text.toLowerCase(), ` ${[...code].join(' - ')} `])
      expect(parseUserCode(typed)).toBe(code)
  }
  expect(new Set([...codes.join('')]).size).toBe(20)
  expect(new Set(codes).size).toBe(codes.length)
})

test.each(['', 'BCDFGHJ', 'BCDFGHJKL', 'BCDFGHJA', 'BCDFGHJ1', 'BCDF_GHJK', 'BCDFGHJ\u212a'])(
  'D101: %j is no user code',
  (text) => {
    expect(parseUserCode(text)).toBeUndefined()
  },
)

const network = '192.0.2.1'

const domains = ['game.example', 'play.example:8443', 'localhost:5173']

const asking = (origin?: string, fetchSite?: string) =>
  askingNetwork(network, { origin, fetchSite }, domains)

describe('D131: the network that asks for a code is that of the game', () => {
  test.each([
    ['a program', undefined, undefined],
    ['a page of the game', 'https://game.example', 'cross-site'],
    ['a page of the game in an older browser', 'https://game.example', undefined],
    ['a page at another port', 'https://play.example:8443', 'cross-site'],
    ['a page on the machine of its developer', 'http://localhost:5173', 'same-site'],
    ['an address that somebody has typed', undefined, 'none'],
    ['a page of the same origin', undefined, 'same-origin'],
  ])('if %s asks', (_, origin, fetchSite) => {
    expect(asking(origin, fetchSite)).toBe(network)
  })

  test.each([
    ['another page', 'https://evil.example', 'cross-site'],
    ['another page, as if somebody had typed its address', 'https://evil.example', 'none'],
    ['a page that hides its origin', 'null', 'cross-site'],
    ['an origin without a name', '', undefined],
    ['a page of the game without encryption', 'http://game.example', 'cross-site'],
    ['a page at a port that is not that of the game', 'https://game.example:8443', 'cross-site'],
    ['a page whose name only ends in that of the game', 'https://evilgame.example', undefined],
    ['a page below the game', 'https://user.game.example', 'same-site'],
    ['two origins', 'https://game.example,https://evil.example', undefined],
    ['a page of another site without an origin', undefined, 'cross-site'],
    ['a page of another host of the site', undefined, 'same-site'],
    ['a page of a kind that is not known', undefined, 'another'],
  ])('but not if %s asks', (_, origin, fetchSite) => {
    expect(asking(origin, fetchSite)).toBeUndefined()
  })

  test('but not if a page asks for a game without hosts', () => {
    const page = { origin: 'https://game.example', fetchSite: undefined }
    expect(askingNetwork(network, page, [])).toBeUndefined()
  })

  test('and one that nobody knows is not that of anybody', () => {
    const program = { origin: undefined, fetchSite: undefined }
    expect(askingNetwork(unknownNetwork, program, domains)).toBeUndefined()
  })
})
