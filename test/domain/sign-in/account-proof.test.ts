import { describe, expect, test } from 'vitest'
import { RateLimited, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { Wallet } from '../../../lib/domain/nft/wallet.ts'
import type { SignInUse } from '../../../lib/domain/ports/limits.ts'
import type { AccountAnswer } from '../../../lib/domain/ports/sign-in.ts'
import { ChainUnavailable } from '../../../lib/domain/sign-in/failures.ts'
import { acceptProof, judgeProof, type Proof } from '../../../lib/domain/sign-in/proof.ts'
import { newMessage } from '../../../lib/domain/sign-in/purpose.ts'
import { newAccount } from '../../support/sign-in/account.ts'
import { network, where } from '../../support/sign-in/proofs.ts'
import { nonces, signInWorld } from '../../support/sign-in/sign-in-world.ts'

const now = Date.UTC(2026, 10, 26)
const account = newAccount()
const { address } = account
const wallet = `${address}:137` as Wallet
const expected = { ...where, purposes: [{ kind: 'page' }] } as const
const magic = '6492'.repeat(16)

/** The form of a signature that a passkey account accepts. */
const contractSignature = `0x${'5a'.repeat(900)}`

/** A message of the service for the address, on Polygon by default. */
async function messageFor(changes: { chainId?: number; domain?: string } = {}): Promise<string> {
  const request = { domain: 'nfts.example', chainId: 137, statement: 'Sign in.', ...changes }
  const purpose = { kind: 'page' } as const
  const { message } = await newMessage({ ...request, address, purpose }, now, nonces)
  return message
}

/** The ports of a deployment whose chain gives this answer, and what they were asked, in order. `limits`: what replaces them. */
function asking(
  answer: AccountAnswer | Error,
  known: readonly Wallet[] = [],
  limits: Partial<SignInUse> = {},
) {
  const calls: unknown[] = []
  const world = signInWorld()
  for (const each of known) world.owners.set(each, { generation: 0, userId: 7 })
  const ports = world.ports()
  ports.accounts = {
    async judge(...request) {
      calls.push(['judge', ...request])
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  Object.assign<SignInUse, Partial<SignInUse>>(ports.signInUse, {
    refuse: async () => void calls.push('refuse'),
    checkAccount: async (...spent) => {
      calls.push(['check', ...spent])
      return async () => void calls.push('give back')
    },
    ...limits,
  })
  const accept = async (
    { message, signature = contractSignature }: Partial<Proof> = {},
    sendingPage = {},
  ) => {
    const proof = { message: message ?? (await messageFor()), signature }
    return await acceptProof(proof, expected, { now, network, sendingPage }, ports)
  }
  return { calls, ports, accept }
}

const names = (calls: readonly unknown[]) => calls.map((call) => [call].flat()[0])

const byProgram = { isForeignPage: false }

describe('D158: a proof that the key of the address has not signed', () => {
  test('is of the account of its chain if it accepts the signature, and then counts for no limit of questions', async () => {
    const { calls, accept } = asking('accepts')
    const message = await messageFor()
    expect(await accept({ message })).toMatchObject({ address, wallet, chainId: 137 })
    expect(calls).toEqual([
      ['check', network, wallet, { isKnown: false, ...byProgram }],
      ['judge', { address, chain: 'POLYGON' }, message, contractSignature],
      'give back',
    ])
  })

  test.each([
    [wallet, true],
    [address, false],
  ])('is of a wallet that has signed in before if %s has', async (known, isKnown) => {
    const permitted: unknown[] = []
    const permit: SignInUse['permit'] = async (_, by) => {
      permitted.push(by)
      return async () => undefined
    }
    await asking('accepts', [known], { permit }).accept()
    expect(permitted).toEqual([{ isKnown }])
  })

  test('is accepted although nothing can be given back', async () => {
    const checkAccount = async () => async () => {
      throw new ServiceUnavailable('overloaded')
    }
    const { accept } = asking('accepts', [], { checkAccount })
    expect(await accept()).toMatchObject({ wallet })
  })

  test('counts if it is sent again, although the account accepts it again', async () => {
    const { calls, accept } = asking('accepts')
    const proof = { message: await messageFor() }
    await accept(proof)
    expect(await accept(proof)).toEqual({ fault: 'message_already_used' })
    expect(names(calls)).toEqual(['check', 'judge', 'give back', 'check', 'judge', 'refuse'])
  })

  test.each([
    ['refuses', 'signature_not_of_address'],
    ['no_account', 'no_account_on_chain'],
  ] as const)('is refused, and counts, if the account %s: %s', async (answer, fault) => {
    const { calls, accept } = asking(answer)
    expect(await accept()).toEqual({ fault })
    expect(names(calls)).toEqual(['check', 'judge', 'refuse'])
  })

  test.each([
    ['the node fails, which no caller causes', new ChainUnavailable('down', true), true],
    ['the key cannot be read', new ServiceUnavailable('no key'), true],
    ['the call takes too long, or fails in another way', new ChainUnavailable('slow'), false],
    ['there is a defect', new Error('a defect'), false],
  ])('is not judged if %s', async (_, failure, isGivenBack) => {
    const { calls, accept } = asking(failure)
    await expect(accept()).rejects.toBe(failure)
    expect(names(calls)).toEqual(['check', 'judge', ...(isGivenBack ? ['give back'] : [])])
  })

  test('D160: is not asked about if a limit refuses it', async () => {
    const limit = { name: 'contract_checks', count: 1, perSeconds: 60 } as const
    const checkAccount = () => Promise.reject(new RateLimited(limit, 60))
    const { calls, accept } = asking('accepts', [], { checkAccount })
    await expect(accept()).rejects.toThrow(RateLimited)
    expect(calls).toEqual([])
  })

  test.each([
    [
      'an account that has signed in before',
      wallet,
      undefined,
      { isKnown: true, isForeignPage: false },
    ],
    ['the address itself, which has', address, undefined, { isKnown: false, isForeignPage: false }],
    [
      'such an account that another page sends',
      wallet,
      'https://evil.example',
      { isKnown: true, isForeignPage: true },
    ],
    [
      'one that the page of the game sends',
      wallet,
      'https://nfts.example',
      { isKnown: true, isForeignPage: false },
    ],
  ])('D160: counts as one of %s', async (_, known, origin, by) => {
    const { calls, accept } = asking('refuses', [known])
    await accept({}, { origin })
    expect(calls[0]).toEqual(['check', network, wallet, by])
  })
})

describe('D158: no account is asked', () => {
  test('about the signature of the key of the address', async () => {
    const { calls, accept } = asking('refuses')
    const message = await messageFor()
    const signature = account.sign(message)
    expect(await accept({ message, signature })).toMatchObject({ wallet: address })
    expect(calls).toEqual([])
  })

  test.each<[string, string, { at?: number; purposes?: []; chainId?: number; domain?: string }]>([
    ['a message of another service', 'message_not_of_this_service', {}],
    ['an old message', 'message_expired', { at: now + 300_000 }],
    ['another host', 'domain_not_permitted', { domain: 'evil.example' }],
    ['a chain that is not open', 'chain_not_open', { chainId: 8453 }],
    ['another purpose', 'message_for_another_purpose', { purposes: [] }],
  ])('about %s', async (_, fault, { at = now, purposes = expected.purposes, ...changes }) => {
    const { calls, ports } = asking('accepts')
    const original = await messageFor(changes)
    const isForged = fault === 'message_not_of_this_service'
    const message = isForged ? original.replace('Sign in.', 'Sign up.') : original
    const proof = { message, signature: contractSignature }
    const judged = judgeProof(proof, { ...expected, purposes }, { now: at, network }, ports)
    expect(await judged).toEqual({ fault })
    expect(calls).toEqual([])
  })

  test.each([
    ['no bytes', '0x', 'signature_malformed'],
    ['half a byte', `0x${'5'.repeat(131)}`, 'signature_malformed'],
    ['no hex digits', `0x${'5g'.repeat(65)}`, 'signature_malformed'],
    ['no prefix', '5a'.repeat(65), 'signature_malformed'],
    ['half a byte too many for 8,191 bytes', `0x${'5'.repeat(16_383)}`, 'message_too_large'],
  ])('about a signature of %s', async (_, signature, fault) => {
    const { calls, accept } = asking('accepts')
    expect(await accept({ signature })).toEqual({ fault })
    expect(calls).toEqual(['refuse'])
  })

  test('in a deployment without smart accounts, or on a chain that the indexer does not cover', async () => {
    const { ports } = asking('accepts')
    const mumbai = 80_001
    const off = { ...ports, accounts: undefined }
    const cases = [
      [off, 137, contractSignature, 'signature_malformed'],
      [off, 137, newAccount().sign('another text'), 'signature_not_of_address'],
      [ports, mumbai, contractSignature, 'signature_malformed'],
      [ports, mumbai, newAccount().sign('another text'), 'signature_not_of_address'],
    ] as const
    for (const [given, chainId, signature, fault] of cases) {
      const proof = { message: await messageFor({ chainId }), signature }
      const expectation = { ...expected, chainIds: [137, mumbai] }
      expect(await judgeProof(proof, expectation, { now, network }, given)).toEqual({ fault })
    }
  })
})

test.each([1, 8_191])('D158: an account is asked about a signature of %i bytes', async (bytes) => {
  const { accept } = asking('accepts')
  expect(await accept({ signature: `0x${'5A'.repeat(bytes)}` })).toMatchObject({ wallet })
})

test('D158: what ends as ERC-6492 says is judged by the account, also if a key has signed it', async () => {
  const { ports, accept } = asking('accepts')
  const signature = `0x${'5a'.repeat(32)}${magic}`
  const ofKey = { ...ports, signatures: { signerOf: () => address } }
  const proof = { message: await messageFor(), signature }
  expect(await judgeProof(proof, expected, { now, network }, ofKey)).toMatchObject({ wallet })
  expect(await accept(proof)).toMatchObject({ wallet })
})
