import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nobleWalletSignatures } from '../../../lib/adapters/noble/wallet-signatures.ts'
import { newAccount } from '../../support/sign-in/account.ts'

const { signerOf } = nobleWalletSignatures

/** A text, its signature and its signer in the documentation of web3.js, `eth.accounts.sign`. */
const known = {
  text: 'Some data',
  signer: '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23',
  signature:
    '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
}

describe('D97: the signer of a text', () => {
  test('is that of a published signature', () => {
    expect(signerOf(known.text, known.signature)).toBe(known.signer)
  })

  test('is the same for the parity 0 or 1, and for the compact form (ERC-2098)', () => {
    const { address, sign } = newAccount()
    for (const text of ['', 'a', 'Ünïcode ✓', 'x'.repeat(5_000)]) {
      const signature = sign(text)
      const [numbers, v] = [signature.slice(2, 130), Number.parseInt(signature.slice(130), 16)]
      const highest = Number.parseInt(numbers.slice(64, 66), 16) | ((v - 27) << 7)
      const compact =
        numbers.slice(0, 64) + highest.toString(16).padStart(2, '0') + numbers.slice(66)
      const forms = [signature, `0x${numbers}0${v - 27}`, `0x${compact}`]
      expect(forms.map((form) => signerOf(text, form))).toEqual([address, address, address])
    }
  })

  test('is nobody for what is no signature', () => {
    const order = secp256k1.Point.Fn.ORDER.toString(16)
    const [zero, one] = ['0'.repeat(64), `${'0'.repeat(63)}1`]
    const bad = [
      '',
      '1b',
      known.signature.slice(4),
      `${known.signature.slice(2)}1b`,
      ...['1d', '1a', '02', 'ff'].map((v) => known.signature.slice(2, 130) + v),
      `${zero}${one}1b`,
      `${one}${zero}1b`,
      `${order}${one}1b`,
      `${one}${order}1b`,
      // No point of the curve has this x.
      `${'0'.repeat(63)}5${one}1b`,
    ]
    for (const hex of bad) expect([hex, signerOf(known.text, `0x${hex}`)]).toEqual([hex, undefined])
  })

  test('is somebody else for another text or another signature', () => {
    const { address, sign } = newAccount()
    fc.assert(
      fc.property(fc.string(), fc.nat(129), fc.integer({ min: 1, max: 15 }), (text, at, by) => {
        const signature = sign(text)
        expect(signerOf(text, signature)).toBe(address)
        expect(signerOf(`${text}.`, signature)).not.toBe(address)
        const digit = (Number.parseInt(signature.charAt(2 + at), 16) ^ by).toString(16)
        const other = signature.slice(0, 2 + at) + digit + signature.slice(3 + at)
        expect(signerOf(text, other)).not.toBe(address)
      }),
      { numRuns: 50 },
    )
  })
})
