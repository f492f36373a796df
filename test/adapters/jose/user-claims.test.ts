import { describe, expect, test } from 'vitest'
import { claimAt } from '../../../lib/adapters/jose/user-claims.ts'

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
