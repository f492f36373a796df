import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hmacSignInNonces } from '../../../lib/adapters/hmac/sign-in-texts.ts'
import { RateLimited } from '../../../lib/domain/failures.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import {
  acceptProof,
  type Expectation,
  judgeProof,
  type Proof,
} from '../../../lib/domain/sign-in/proof.ts'
import { type SignInMessage, writeMessage } from '../../../lib/domain/sign-in/sign-in-message.ts'
import { newAccount } from '../../support/sign-in/account.ts'
import { changedTexts } from '../../support/sign-in/changed-texts.ts'
import { network } from '../../support/sign-in/proofs.ts'
import { nonces, signInWorld } from '../../support/sign-in/sign-in-world.ts'

const now = Date.UTC(2026, 10, 26)
const account = newAccount()
const expected: Expectation = {
  purposes: [{ kind: 'link', userId: 7 }],
  domains: ['nfts.example', 'game.example:8443'],
  chainIds: [137, 56],
}
const fields = {
  domain: 'game.example:8443',
  address: account.address,
  statement: 'Add this wallet to tessaly.',
  chainId: 56,
  issuedAt: now,
  requestId: 'link:7',
}

const judging = { ...signInWorld().ports(), accounts: undefined }

const judge = (message: string, signature: string, at = now, expectation = expected) =>
  judgeProof({ message, signature }, expectation, { now: at, network }, judging)

/** A proof of a message that the service has written. */
async function proofOf(changes: Partial<Omit<SignInMessage, 'nonce'>> = {}) {
  const given = { ...fields, ...changes }
  const message = { ...given, nonce: await nonces.nonceFor(given) }
  const text = writeMessage(message)
  return { message, text, signature: account.sign(text) }
}

describe('D97: a proof', () => {
  test('says who has signed, on which chain, and which message is used up', async () => {
    const { text, signature, message } = await proofOf()
    const { address, chainId, nonce, issuedAt } = message
    const [purpose] = expected.purposes
    expect(await judge(text, signature)).toEqual({
      ...{ address, wallet: address, chainId, nonce, issuedAt, purpose },
    })
  })

  test.each([
    ['issued in the future', { issuedAt: now + 5_001 }, 'message_issued_in_the_future'],
    ['issued by a clock that is a little ahead', { issuedAt: now + 5_000 }, undefined],
    ['that expires now', { issuedAt: now - 300_000 }, 'message_expired'],
    ['that expires in a millisecond', { issuedAt: now - 299_999 }, undefined],
    ['for a host at which nobody signs in', { domain: 'game.example' }, 'domain_not_permitted'],
    ['for another host at which players sign in', { domain: 'nfts.example' }, undefined],
    ['on a chain that is not open', { chainId: 1 }, 'chain_not_open'],
    ['on another open chain', { chainId: 137 }, undefined],
    ['to sign in', { requestId: 'page' }, 'message_for_another_purpose'],
    ['to move the wallet', { requestId: 'move:7' }, 'message_for_another_purpose'],
    ['for another user', { requestId: 'link:70' }, 'message_for_another_purpose'],
    ['of another address', { address: newAccount().address }, 'signature_not_of_address'],
  ])('%s: %j is %s', async (_, changes, fault) => {
    const { text, signature } = await proofOf(changes)
    expect((await judge(text, signature)).fault).toBe(fault)
  })

  /** Accepts proofs with the used nonces in memory, and notes what they spend of the limits. */
  function accepting(known: readonly Address[] = []) {
    const calls: string[] = []
    const note = (call: string) => async () => void calls.push(call)
    const world = signInWorld()
    for (const address of known) world.owners.set(address, { generation: 0, userId: 7 })
    const ports = world.ports((call, moment) => {
      const [port, method = ''] = call.split('.')
      if (port === 'usedNonces' && moment === 'before') calls.push(method)
    })
    ports.signInUse.refuse = note('refuse')
    ports.signInUse.permit = async (_, { isKnown }) => {
      calls.push(isKnown ? 'known' : 'new')
      return note('spend')
    }
    const accept = (proof: Proof, sendingPage = {}) =>
      acceptProof(proof, expected, { now, network, sendingPage }, ports)
    return { calls, accept, ports }
  }

  test('is accepted once, and uses up nothing when it is refused', async () => {
    const { text: message, signature, message: said } = await proofOf()
    const { accept, calls } = accepting()
    const another = newAccount().sign(message)
    expect((await accept({ message, signature: another })).fault).toBe('signature_not_of_address')
    expect(await accept({ message, signature })).toMatchObject({
      ...{ address: account.address, nonce: said.nonce },
    })
    expect(await accept({ message, signature })).toEqual({ fault: 'message_already_used' })
    expect(calls).toEqual(['refuse', ...['new', 'use', 'spend'], ...['new', 'use', 'refuse']])
  })

  test.each([
    ['a program', undefined, 'known'],
    ['another page', 'https://evil.example', 'new'],
    ['the page of the game', 'https://game.example:8443', 'known'],
  ])(
    'D107, D140: of a known wallet that %s sends, %s, counts as %s',
    async (_, origin, counted) => {
      const { text: message, signature } = await proofOf()
      const { accept, calls } = accepting([account.address])
      await accept({ message, signature }, { origin })
      expect(calls).toEqual([counted, 'use', 'spend'])
    },
  )

  test('D140: spends once, however often it is sent at the same time', async () => {
    const { text: message, signature } = await proofOf()
    const { accept, calls } = accepting()
    const all = await Promise.all(Array.from({ length: 20 }, () => accept({ message, signature })))
    expect(all.filter(({ fault }) => fault === undefined)).toHaveLength(1)
    const counts = ['spend', 'refuse'].map((name) => calls.filter((call) => call === name).length)
    expect(counts).toEqual([1, 19])
  })

  test.each([
    ['before it is used up', (refuse: () => Promise<never>) => refuse, ['new', 'use', 'spend']],
    [
      'as others spend it first',
      (refuse: () => Promise<never>) => async () => refuse,
      ['use', 'release', 'new', 'use', 'spend'],
    ],
  ])('D107: is of use later if a limit refuses it %s', async (_, refusing, expectedCalls) => {
    const { text: message, signature } = await proofOf()
    const { accept, calls, ports } = accepting()
    const { permit } = ports.signInUse
    const limit = { name: 'sign_ins', count: 1, perSeconds: 60 } as const
    ports.signInUse.permit = refusing(() => Promise.reject(new RateLimited(limit, 60)))
    await expect(accept({ message, signature })).rejects.toThrow(RateLimited)
    Object.assign(ports.signInUse, { permit })
    expect(await accept({ message, signature })).toMatchObject({ address: account.address })
    expect(calls).toEqual(expectedCalls)
  })

  test('of a message that another deployment or the game has written is refused', async () => {
    const others = hmacSignInNonces('another secret')
    for (const nonce of [await others.nonceFor(fields), 'a'.repeat(39), 'aB3dE6gH']) {
      const text = writeMessage({ ...fields, nonce })
      expect(await judge(text, account.sign(text))).toEqual({
        fault: 'message_not_of_this_service',
      })
    }
  })

  test.each([
    ['no hex digits', `0x${'g'.repeat(130)}`, 'signature_malformed'],
    ['no byte', '0x', 'signature_malformed'],
    ['a byte too few', `0x${'1'.repeat(126)}`, 'signature_malformed'],
    ['a byte too many', `0x${'1'.repeat(132)}`, 'signature_malformed'],
    ['no prefix', '1'.repeat(130), 'signature_malformed'],
    [
      'as many characters as a signature can have',
      `0x${'1'.repeat(16_382)}`,
      'signature_malformed',
    ],
    ['more', `0x${'1'.repeat(16_383)}`, 'message_too_large'],
    ['numbers of no key', `0x${'0'.repeat(128)}1b`, 'signature_not_of_address'],
  ])('with a signature of %s is refused', async (_, signature, fault) => {
    const { text } = await proofOf()
    expect(await judge(text, signature)).toEqual({ fault })
  })

  test('with a message that is too large or no message is refused', async () => {
    const { signature } = await proofOf()
    expect(await judge('x'.repeat(4_096), signature)).toEqual({ fault: 'message_malformed' })
    expect(await judge('x'.repeat(4_097), signature)).toEqual({ fault: 'message_too_large' })
  })

  test('with any change of its message is refused, also if the wallet signs the change', async () => {
    const { text, signature } = await proofOf()
    await fc.assert(
      fc.asyncProperty(changedTexts(text), async (changed) => {
        expect((await judge(changed, account.sign(changed))).fault).toBeDefined()
        expect((await judge(changed, signature)).fault).toBeDefined()
      }),
      { numRuns: Number(process.env['GENERATED_PROOFS'] ?? 200) },
    )
  })
})
