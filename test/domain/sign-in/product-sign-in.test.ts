import { describe, expect, test } from 'vitest'
import {
  gameDomains,
  keepsPlayers,
  parseSignInDomain,
  productWithSignIn,
} from '../../../lib/domain/sign-in/product-sign-in.ts'
import { permitOf, signInState } from '../../../lib/domain/sign-in/sign-in-permit.ts'
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

const free = { needsOperator: false }
const operated = { needsOperator: true }

test('D106: players sign in to a product that permits it, and is in use', () => {
  const { product } = storedProduct()
  const permitting = { product: { ...product, signIn: true } }
  const at = '2026-11-27T00:00:00.000Z'
  expect(productWithSignIn(storedProduct(permitting), free)).toMatchObject(permitting)
  for (const changes of [
    {},
    { product: { ...product, signIn: false } },
    { ...permitting, stoppedAt: at },
    { ...permitting, endedAt: at },
  ]) {
    expect(productWithSignIn(storedProduct(changes), free)).toBeUndefined()
  }
  expect(productWithSignIn(undefined, free)).toBeUndefined()
})

test('D106: the host of the page is none of a game', () => {
  const { product } = storedProduct()
  const signInDomains = ['nfts.example', 'game.example']
  const stored = storedProduct({ product: { ...product, signInDomains } })
  expect(gameDomains(stored, 'nfts.example')).toEqual(['game.example'])
  expect(gameDomains(storedProduct(), 'nfts.example')).toEqual([])
})

describe('D115: where the operator permits it', () => {
  const { product: registered } = storedProduct()
  const signInDomains = ['game.example']
  const product = { ...registered, signIn: true, signInDomains }
  const permitted = storedProduct({ product, signInPermit: permitOf(product) })
  const at = '2026-11-27T00:00:00.000Z'

  test('players sign in to the game that the operator has seen', () => {
    expect(signInState(permitted, operated)).toBe('ON')
    expect(productWithSignIn(permitted, operated)).toBe(permitted)
    expect(keepsPlayers(permitted, operated)).toBe(true)
  })

  test.each([
    ['another name', { name: 'Other' }],
    ['another company', { companyName: 'Other' }],
    ['another host', { signInDomains: ['other.example'] }],
    ['one host more', { signInDomains: [...signInDomains, 'other.example'] }],
    ['no host', { signInDomains: undefined }],
  ])('with %s it waits, and those who have signed in stay', (_, changes) => {
    const changed = { ...permitted, product: { ...product, ...changes } }
    expect(signInState(changed, operated)).toBe('WAITING')
    expect(productWithSignIn(changed, operated)).toBeUndefined()
    expect(keepsPlayers(changed, operated)).toBe(true)
    expect(signInState(changed, free)).toBe('ON')
  })

  test.each([
    ['it was never permitted', storedProduct({ product })],
    ['it does not permit it itself', { ...permitted, product: { ...product, signIn: false } }],
    ['it is stopped', { ...permitted, stoppedAt: at }],
    ['it is deleted', { ...permitted, endedAt: at }],
  ])('nobody signs in, and nobody stays, if %s', (_, stored) => {
    expect(productWithSignIn(stored, operated)).toBeUndefined()
    expect(keepsPlayers(stored, operated)).toBe(false)
  })

  test('other texts never have the same permit', () => {
    const split = { ...product, name: 'a","b', companyName: 'c' }
    expect(permitOf(split)).not.toBe(permitOf({ ...product, name: 'a', companyName: 'b","c' }))
    expect(signInState(storedProduct(), operated)).toBeUndefined()
  })
})
