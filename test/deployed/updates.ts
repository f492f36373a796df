import assert from 'node:assert/strict'
import type { Service } from '../support/services/service.ts'
import { expectKept, expectRefused, keysInUse, newBelongings, newTokens } from './survival.ts'
import type { Tally } from './tally.ts'

/** Deploys the service anew with other settings, and answers it. */
export type Update = (version: string, changes: object) => Promise<Service>

/** The generations of both keys: all are accepted, the first one signs. */
const keys = (...generations: string[]) => ({
  playerTokenKeys: generations,
  userJwtKeys: generations,
})

/**
 * Updates the service three times, which rotates both keys, and checks after each that data and tokens
 * have survived.
 */
export async function checkUpdates(service: Service, update: Update, tally: Tally): Promise<void> {
  const belongings = await newBelongings(service)
  const first = await keysInUse(service)
  assert.equal(first.published.length, 2)

  const open = { allowlistChains: ['POLYGON', 'BSC', 'AMOY'] }
  const publishing = await update('new keys published', { ...keys('1', '2'), ...open })
  await tally.check('Products, allowlists, API keys and players are as they were', () =>
    expectKept(publishing, belongings),
  )
  await tally.check('Changed settings are in force', () => expectOpen(publishing))
  const both = await keysInUse(publishing)
  await tally.check('The new keys are published; the old ones sign', () => {
    assert.equal(new Set(both.published).size, 4)
    assert.deepEqual(both.signing, first.signing)
  })
  belongings.tokens.push(await newTokens(publishing))

  const signing = await update('new keys signing', { ...keys('2', '1'), ...open })
  await tally.check('Tokens of every age are good', () => expectKept(signing, belongings))
  const swapped = await keysInUse(signing)
  await tally.check('The new keys sign', () => {
    assert.deepEqual(new Set(swapped.published), new Set(both.published))
    assert.equal(new Set([...swapped.signing, ...first.signing]).size, 4)
  })
  const young = await newTokens(signing)

  const last = await update('old keys gone', { ...keys('2'), ...open })
  await tally.check('Tokens of the new keys are good', () =>
    expectKept(last, { ...belongings, tokens: [young] }),
  )
  await tally.check('Tokens of the old keys are refused', async () => {
    assert.deepEqual((await keysInUse(last)).published.sort(), swapped.signing.sort())
    for (const old of belongings.tokens) await expectRefused(last, belongings, old)
  })
}

/** A chain that was closed before the update is open. */
async function expectOpen({ call, newProduct }: Service): Promise<void> {
  const apiKey = await newProduct()
  const body = {
    chain: 'AMOY',
    contractAddress: `0x${'5'.repeat(40)}`,
    contractDescription: 'Lanterns of the next season.',
    tokens: ['1'],
  }
  const { status, text } = await call('POST /product/tokens', { apiKey, body })
  assert.equal(status, 200, text)
}
