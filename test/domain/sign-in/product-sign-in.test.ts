import { describe, expect, test } from 'vitest'
import {
  gameDomains,
  parseSignInDomain,
  productWithSignIn,
} from '../../../lib/domain/sign-in/product-sign-in.ts'
import { storedProduct } from '../../support/memory/http-chain.ts'

describe('D106: a host at which a game lets players sign in', () => {
  test.each([
    ['game.example', 'game.example'],
    ['Play.Game.Example:8443', 'play.game.example:8443'],
    ['game.example:443', 'game.example'],
    ['localhost:5173', 'localhost:5173'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  ])('%s is %s', (text, host) => expect(parseSignInDomain(text)).toBe(host))

  test.each([
    ...['', 'example', 'https://game.example', 'game.example/', 'game.example?a', 'a@game.example'],
    ...['game.example:0', 'game.example:65536', 'game.example:080', 'game.example:', ':8443'],
    ...['192.0.2.1', '192.0.2.1:80', '0x7f.1', '127.1', '[::1]', '2130706433', 'game.123'],
    ...['münchen.example', 'gаme.example', 'game.example.', '.game.example', 'game..example'],
    ...['-game.example', 'game-.example', 'ga me.example', 'game.example\n', '*.game.example'],
    ...[`${'a'.repeat(64)}.example`, `${'b.'.repeat(130)}c`, 'game.example\u212a'],
  ])('%j is none', (text) => expect(parseSignInDomain(text)).toBeUndefined())
})

test('D106: players sign in to a product that permits it, and is in use', () => {
  const { product } = storedProduct()
  const permitting = { product: { ...product, signIn: true } }
  const at = '2026-11-27T00:00:00.000Z'
  expect(productWithSignIn(storedProduct(permitting))).toMatchObject(permitting)
  for (const changes of [
    {},
    { product: { ...product, signIn: false } },
    { ...permitting, stoppedAt: at },
    { ...permitting, endedAt: at },
  ]) {
    expect(productWithSignIn(storedProduct(changes))).toBeUndefined()
  }
  expect(productWithSignIn(undefined)).toBeUndefined()
})

test('D106: the host of the page is none of a game', () => {
  const { product } = storedProduct()
  const signInDomains = ['nfts.example', 'game.example']
  const stored = storedProduct({ product: { ...product, signInDomains } })
  expect(gameDomains(stored, 'nfts.example')).toEqual(['game.example'])
  expect(gameDomains(storedProduct(), 'nfts.example')).toEqual([])
})
