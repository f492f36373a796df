import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encoded } from '../../support/smart-accounts/contracts.ts'
import { evmChain } from '../../support/smart-accounts/evm-chain.ts'
import { judge } from '../../support/smart-accounts/judge.ts'
import { kinds, type SmartAccount } from '../../support/smart-accounts/kinds.ts'

const chainId = 8453
const text = 'Sign in to tessaly.'
const magic = '6492'.repeat(16)
const cases = Number(process.env['GENERATED_PROOFS'] ?? 3_000)

/** An account with its signature of the text, and those of others, with other owners: of the same kind and of each kind. */
interface Place {
  account: SmartAccount
  signature: string
  others: string[]
}

/** A change of hex digits: another bit, bytes less or more, or other bytes in their place. */
const change = fc.oneof(
  fc.record({ at: fc.nat(), bit: fc.nat(7) }).map(({ at, bit }) => (digits: string) => {
    const bytes = Buffer.from(digits, 'hex')
    const place = at % bytes.length
    bytes[place] = (bytes[place] ?? 0) ^ (1 << bit)
    return bytes.toString('hex')
  }),
  fc
    .record({ at: fc.nat(), removed: fc.nat(40), added: fc.uint8Array({ maxLength: 40 }) })
    .map(({ at, removed, added }) => (digits: string) => {
      const start = 2 * (at % (digits.length / 2 + 1))
      const rest = digits.slice(start + 2 * removed)
      return digits.slice(0, start) + Buffer.from(added).toString('hex') + rest
    }),
)

/** The signature in one of ERC-6492, or the whole signature. */
function innerOf(signature: string): string {
  if (!signature.endsWith(magic)) return signature
  const words = signature.slice(2)
  const at = 2 * Number(`0x${words.slice(128, 192)}`)
  const length = 2 * Number(`0x${words.slice(at, at + 64)}`)
  return `0x${words.slice(at + 64, at + 64 + length)}`
}

/** Signatures of which none is one of the account, made from a valid one. */
const badSignatures: fc.Arbitrary<(place: Place) => string> = fc.oneof(
  // The signature changes, and what is around it does not.
  change.map(
    (changed) =>
      ({ account, signature }: Place) =>
        account.wrap(`0x${changed(innerOf(signature).slice(2))}`),
  ),
  change.map(
    (changed) =>
      ({ signature }: Place) =>
        `0x${changed(signature.slice(2))}`,
  ),
  fc.string().map(
    (other) =>
      ({ account }: Place) =>
        account.sign(text + other),
  ),
  // Another account signs, with its own form or in that of the account.
  fc.nat().map(
    (at) =>
      ({ others }: Place) =>
        others[at % others.length] ?? '',
  ),
  fc.nat().map(
    (at) =>
      ({ account, others }: Place) =>
        account.wrap(innerOf(others[at % others.length] ?? '')),
  ),
  // ERC-6492 in ERC-6492.
  fc.constantFrom('', 'ff'.repeat(20)).map((factory) => ({ signature }: Place) => {
    const once = signature.endsWith(magic) ? signature : wrappedIn('', signature)
    return wrappedIn(factory, once)
  }),
)

const wrappedIn = (factory: string, signature: string) =>
  `0x${encoded(factory, { bytes: '' }, { bytes: signature })}${magic}`

test.each(Object.entries(kinds))(
  'An account %s accepts its signature, and none of thousands that are like it',
  async (_, make) => {
    const chain = await evmChain(chainId)
    const account = await make(chain, chainId)
    const signature = account.sign(text)
    const others: string[] = []
    for (const other of [make, ...Object.values(kinds)])
      others.push((await other(chain, chainId)).sign(text))
    expect(await judge(chain, account.address, text, signature)).toBe('accepts')
    await fc.assert(
      fc.asyncProperty(badSignatures, async (bad) => {
        const changed = bad({ account, signature, others })
        fc.pre(changed !== signature && changed.length > 2)
        const answer = await judge(chain, account.address, text, changed)
        expect(['refuses', 'no_account']).toContain(answer)
      }),
      { numRuns: Math.ceil(cases / Object.keys(kinds).length) },
    )
    expect(await judge(chain, account.address, text, signature)).toBe('accepts')
  },
)
