import { describe, expect, test } from 'vitest'
import { checkRequiredClaims, usernameIn } from '../../../lib/adapters/jose/read-user.ts'
import { claimAt } from '../../../lib/adapters/jose/user-claims.ts'
import { recentlyUsed } from '../../../lib/adapters/recently-used.ts'
import type { ClaimValues } from '../../../lib/settings/claim-values.ts'

const refused = (claim: string, rule: string) =>
  expect.objectContaining({
    message: `The claim ${claim} of the user JWT ${rule}.`,
    reason: `claim ${claim}: ${rule}`,
  })

describe('D92: the claims of the username', () => {
  const long = '𝌆'.repeat(120)

  test.each<[Record<string, unknown>, [string, ...string[]], string]>([
    [{ name: 'neo', sub: 'x' }, ['name', 'sub'], 'neo'],
    [{ name: '', sub: 'x' }, ['name', 'sub'], 'x'],
    [{ name: null, nick: { name: 'neo' } }, ['name', 'nick.name'], 'neo'],
    [{ name: '\ud83d', sub: 'x' }, ['name', 'sub'], 'x'],
    [{ sub: 'x' }, ['name', 'sub'], 'x'],
    [{ number: 7 }, ['name', 'number'], '7'],
    [{ name: long }, ['name'], '𝌆'.repeat(100)],
    [{ name: `x${long}` }, ['name'], `x${'𝌆'.repeat(99)}`],
    [{ name: 'x'.repeat(1_000_000) }, ['name'], 'x'.repeat(100)],
    [{ sub: 'x'.repeat(200) }, ['sub'], 'x'.repeat(100)],
    [{ username: 'x'.repeat(101), sub: 'y' }, ['username', 'sub'], 'y'],
    [{ username: '𝌆'.repeat(100) }, ['username'], '𝌆'.repeat(100)],
  ])('%j, %j', (claims, paths, username) => {
    expect(usernameIn(claims, paths)).toBe(username)
  })

  const text = 'must be text of 1 to 100 characters'

  test.each<[Record<string, unknown>, [string, ...string[]], string, string]>([
    [{}, ['username'], 'username', 'is missing'],
    [{ username: 'x'.repeat(101) }, ['username'], 'username', text],
    [{ username: 7 }, ['username'], 'username', text],
    [{ name: [] }, ['name'], 'name', `${text}, or an integer number`],
    [{ name: 1.5 }, ['name'], 'name', `${text}, or an integer number`],
    [{}, ['name', 'sub'], 'name or sub', 'is missing'],
    [{ sub: 7 }, ['name', 'sub'], 'name or sub', `${text}, or an integer number`],
  ])('%j, %j: none is usable', (claims, paths, claim, rule) => {
    expect(() => usernameIn(claims, paths)).toThrow(refused(claim, rule))
  })
})

describe('D92: required claims', () => {
  const claims = {
    scope: 'openid user:basic',
    roles: ['player', 'admin', 7],
    verified: true,
    level: 3,
    nested: { kind: 'game' },
    'https://studio.example/kind': 'game',
  }

  test.each<ClaimValues>([
    {},
    { scope: 'user:basic' },
    { scope: 'openid user:basic' },
    { scope: ['none', 'openid'] },
    { roles: 'player' },
    { verified: true, level: 3 },
    { level: [1, 3] },
    { 'nested.kind': 'game', 'https://studio.example/kind': 'game' },
  ])('%j are there', (required) => {
    expect(() => checkRequiredClaims(claims, required)).not.toThrow()
  })

  test.each<[ClaimValues, string]>([
    [{ scope: 'user' }, 'scope'],
    [{ scope: 'user:basically' }, 'scope'],
    [{ scope: 'User:basic' }, 'scope'],
    [{ scope: '' }, 'scope'],
    [{ roles: 7 }, 'roles'],
    [{ verified: 'true' }, 'verified'],
    [{ level: '3' }, 'level'],
    [{ scope: 'openid', roles: 'guest' }, 'roles'],
  ])('%j are not', (required, claim) => {
    expect(() => checkRequiredClaims(claims, required)).toThrow(
      refused(claim, 'does not have a value that the settings of the login require'),
    )
  })

  test.each<[ClaimValues, string]>([
    [{ level: 3, nothing: 'x' }, 'nothing'],
    [{ constructor: 'x' }, 'constructor'],
    [JSON.parse('{"__proto__":"x"}'), '__proto__'],
  ])('%j are missing', (required, claim) => {
    expect(() => checkRequiredClaims(claims, required)).toThrow(refused(claim, 'is missing'))
  })
})

const claims = {
  sub: 'auth0|1',
  'cognito:username': 'neo',
  'https://studio.example/wallets': ['0x1'],
  'https://studio.example/claims': { 'x-user.id': 7, deep: { er: 8 } },
  game: { wallets: ['0x2'], player: { name: 'neo' } },
  'game.wallets': ['0x3'],
  list: ['a'],
  nothing: null,
  text: 'text',
}

describe('D40: the path of a claim', () => {
  test.each<[string, unknown]>([
    ['sub', 'auth0|1'],
    ['cognito:username', 'neo'],
    ['https://studio.example/wallets', ['0x1']],
    ['https://studio.example/claims.x-user.id', 7],
    ['https://studio.example/claims.deep.er', 8],
    ['game.player.name', 'neo'],
    ['game.wallets', ['0x3']],
    ['nothing', null],
  ])('D40: %s', (path, value) => {
    expect(claimAt(claims, path)).toEqual(value)
  })

  test.each([
    'none',
    'sub.length',
    'text.length',
    'nothing.x',
    'game.none',
    'game.player.name.x',
    'constructor',
    'game.constructor.name',
    '__proto__',
    'toString',
    'list.length.x',
  ])('D40: %s names no claim', (path) => {
    expect(claimAt(claims, path)).toBeUndefined()
  })

  test('D40: claims that are no object have no claim', () => {
    for (const other of [null, undefined, 'text', 7]) expect(claimAt(other, 'sub')).toBeUndefined()
  })
})

test('D95: what was used least recently is dropped first', () => {
  const known = recentlyUsed<string, number>(2)
  known.set('a', 1)
  known.set('b', 2)
  known.get('a')
  known.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => known.get(key))).toEqual([1, undefined, 3])
})
