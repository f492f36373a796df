import { describe, expect, test } from 'vitest'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import {
  gameDomains,
  keepsPlayers,
  parseSignInDomain,
  permitOf,
  productWithSignIn,
  signInState,
} from '../../../lib/domain/sign-in/product-sign-in.ts'
import type { Proof } from '../../../lib/domain/sign-in/proof.ts'
import type { Purpose } from '../../../lib/domain/sign-in/purpose.ts'
import { signIn } from '../../../lib/domain/sign-in/sign-in.ts'
import { userOfWallet } from '../../../lib/domain/sign-in/wallet-users.ts'
import { storedProduct } from '../../support/memory/http-chain.ts'
import { newAccount } from '../../support/sign-in/account.ts'
import { network, proofOf, where } from '../../support/sign-in/proofs.ts'
import { signInWorld } from '../../support/sign-in/sign-in-world.ts'

const start = Date.UTC(2026, 10, 27)

const page = { kind: 'page' } as const

/** A deployment in memory in which nobody has signed in. */
function newDeployment() {
  const world = signInWorld()
  const ports = world.ports()
  const enter = (proof: Proof, now = start, username?: string, purpose: Purpose = page) =>
    signIn(proof, { ...where, purposes: [purpose] }, { now, network, username }, ports)
  return { ...world, ports, enter }
}

describe('D104: a sign-in with a wallet', () => {
  test('is of the user of the wallet, dated by its message, once', async () => {
    const { enter, ports } = newDeployment()
    const account = newAccount()
    const proof = await proofOf(account, page, start)
    const session = await enter(proof, start + 60_000)
    const userId = await userOfWallet(account.address, 0, ports)
    expect(session).toEqual({ userId, wallet: account.address, beganAt: start })
    expect(await enter(proof, start + 60_000)).toEqual({ fault: 'message_already_used' })
    expect(await enter(await proofOf(account, page, start))).toMatchObject({ userId })
    expect(await enter(await proofOf(newAccount(), page, start))).not.toMatchObject({ userId })
  })

  test('that is refused makes no user', async () => {
    const { enter, userIds } = newDeployment()
    const proof = await proofOf(newAccount(), { kind: 'link', userId: 1 }, start)
    expect(await enter(proof)).toEqual({ fault: 'message_for_another_purpose' })
    expect(userIds.size).toBe(0)
  })

  test('with a message from before a sign-out is refused', async () => {
    const { enter, ports } = newDeployment()
    const account = newAccount()
    const early = await proofOf(account, page, start + 1_000)
    const late = await proofOf(account, page, start + 1_001)
    const userId = await userOfWallet(account.address, 0, ports)
    await ports.walletLists.signOut(userId, start + 1_000)
    expect(await enter(early, start + 2_000)).toEqual({ fault: 'message_expired' })
    expect(await enter(late, start + 2_000)).toMatchObject({ userId })
  })

  test('can give the user another name', async () => {
    const { enter, usernames } = newDeployment()
    const account = newAccount()
    await enter(await proofOf(account, page, start))
    expect(usernames.size).toBe(0)
    await enter(await proofOf(account, page, start), start, 'tessaly')
    expect([...usernames.values()]).toEqual(['tessaly'])
    await enter(await proofOf(account, page, start))
    expect([...usernames.values()]).toEqual(['tessaly'])
  })

  test('D118: to a game names a user who has no name yet, and no other', async () => {
    const { enter, usernames } = newDeployment()
    const account = newAccount()
    const game = { kind: 'product', productId: 'a-product' as ProductId } as const
    const name = async (username: string, purpose: Purpose) => {
      await enter(await proofOf(account, purpose, start), start, username, purpose)
      return [...usernames.values()]
    }
    expect(await name('named by a game', game)).toEqual(['named by a game'])
    expect(await name('renamed by a game', game)).toEqual(['named by a game'])
    expect(await name('tessaly', page)).toEqual(['tessaly'])
  })
})

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
