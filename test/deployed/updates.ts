import assert from 'node:assert/strict'
import { registration, type Service } from '../support/services/service.ts'
import type { ChangeTemplates } from './deployment.ts'
import {
  type Belongings,
  expectKept,
  expectRejected,
  keysInUse,
  newBelongings,
  newTokens,
  succeed,
} from './survival.ts'
import type { Tally } from './tally.ts'

/** Deploys the service with changed settings, and with changed templates, and returns the updated service. */
export type Update = (
  version: string,
  changes: object,
  changeTemplates?: ChangeTemplates,
) => Promise<Service>

/** The generations of both keys. All are accepted, and the first generation signs. */
const keys = (...generations: string[]) => ({
  playerTokenKeys: generations,
  userJwtKeys: generations,
})

/**
 * Rotates both keys with three updates: data and tokens survive each. Returns the data, with tokens of the old keys.
 */
export async function checkUpdates(
  service: Service,
  update: Update,
  { tally, originSecret }: { tally: Tally; originSecret: string | undefined },
): Promise<Belongings> {
  const belongings = await newBelongings(service)
  const first = await keysInUse(service)
  assert.equal(first.published.length, 2)

  await tally.check('D43: an update that would drop all keys at once is refused', async () => {
    await assert.rejects(update('all keys dropped', keys('2026', '2027')), (error: Error) =>
      ['player tokens', 'user JWTs'].every((kind) =>
        error.message.includes(`none of the keys of ${kind} that are accepted now`),
      ),
    )
    await expectKept(service, belongings)
    assert.deepEqual(await keysInUse(service), first)
  })

  const open = { allowlistChains: ['POLYGON', 'BSC', 'AMOY'] }
  const publishing = await update('new keys published', { ...keys('1', '2'), ...open })
  await tally.check('Products, allowlists, API keys and players are unchanged', () =>
    expectKept(publishing, belongings),
  )
  await tally.check('Changed settings take effect', () => expectOpen(publishing))
  const both = await keysInUse(publishing)
  await tally.check('The new keys are published; the old ones sign', () => {
    assert.equal(new Set(both.published).size, 4)
    assert.deepEqual(both.signing, first.signing)
  })
  belongings.tokens.push(await newTokens(publishing))
  await tally.check('D75: a mistyped key, and a step left out, are refused', async () => {
    const mistyped = { ...open, playerTokenKeys: ['3', '1'], userJwtKeys: ['2'] }
    await assert.rejects(update('mistyped keys', mistyped), (error: Error) =>
      [
        'playerTokenKeys: "3" is first and would sign player tokens, but is not accepted yet',
        'userJwtKeys: "1", which signs user JWTs now, is missing',
      ].every((reason) => error.message.includes(reason) && !/did not say/.test(error.message)),
    )
    await expectKept(publishing, belongings)
    assert.deepEqual(await keysInUse(publishing), both)
  })

  const signing = await update('new keys signing', { ...keys('2', '1'), ...open })
  await tally.check('Tokens of every age are valid', () => expectKept(signing, belongings))
  const swapped = await keysInUse(signing)
  await tally.check('The new keys sign', () => {
    assert.deepEqual(new Set(swapped.published), new Set(both.published))
    assert.equal(new Set([...swapped.signing, ...first.signing]).size, 4)
  })
  const latest = await newTokens(signing)

  const last = await update('old keys gone', { ...keys('2'), ...open, ...addressLimit })
  await tally.check('Tokens of the new keys are valid', () =>
    expectKept(last, { ...belongings, tokens: [latest] }),
  )
  await tally.check('Tokens of the old keys are rejected', async () => {
    assert.deepEqual((await keysInUse(last)).published.sort(), swapped.signing.sort())
    for (const old of belongings.tokens) await expectRejected(last, belongings, old)
  })
  // Without CloudFront, there is no secret.
  if (originSecret !== undefined) {
    await tally.check(
      'D54: the function believes the address beside the secret of CloudFront',
      () => expectAddressBelieved(last, originSecret),
    )
  }
  return belongings
}

/** A chain that was closed before the update is open for allowlisting. */
async function expectOpen(service: Service): Promise<void> {
  const apiKey = await service.newProduct()
  const body = {
    chain: 'AMOY',
    contractAddress: `0x${'5'.repeat(40)}`,
    contractDescription: 'Lanterns of the next season.',
    tokens: ['1'],
  }
  await succeed(service, 'POST /product/tokens', { apiKey, body })
}

/** A limit that a test can reach. All tests before it come from one address. */
const addressLimit = { registrationsPerAddressAndHour: 2 }

/** The limit of registrations counts the address that CloudFront names beside its secret, and no other (D54). */
async function expectAddressBelieved({ call }: Service, originSecret: string): Promise<void> {
  const register = async (secret: string, address: string) => {
    const headers = { 'x-origin-secret': secret, 'cloudfront-viewer-address': address }
    const { status } = await call('POST /product', { body: registration(), headers })
    return status
  }
  for (const [first, second] of [
    ['198.51.100.10:46532', '198.51.100.10:1'],
    ['2001:db8:1:2::1:46532', '2001:db8:1:2:ffff::2:443'],
  ] as const) {
    assert.equal(await register(originSecret, first), 200)
    assert.equal(await register(originSecret, second), 200)
    assert.equal(await register(originSecret, first), 429)
  }
  // An hour may have begun since the tests before it.
  for (const host of [20, 21]) await register('a-guess', `198.51.100.${host}:1`)
  assert.equal(await register('a-guess', '198.51.100.22:1'), 429)
}
