import { describe, expect, test } from 'vitest'
import {
  callOrigin,
  validatorAnswer,
  validatorCall,
} from '../../../lib/adapters/accounts/validator-call.ts'
import { validatorCode } from '../../../lib/adapters/accounts/validator-code.ts'
import { toAddress } from '../../../lib/domain/nft/address.ts'

const account = toAddress(`0x${'a1'.repeat(20)}`)
const factory = 'fa'.repeat(20)
const magic = '6492'.repeat(16)
const word = (digits: string) => digits.padStart(64, '0')

/** The arguments of the validator for a signature, as words of 64 hex digits. */
const argumentsOf = (signature: string) =>
  validatorCall(account, 'hello', signature)
    ?.data.slice(2 + validatorCode.length)
    .match(/.{64}/g)

// hashMessage('hello') of ethers and viem.
const digest = '50b2c43fd39106bafbba0da34fc430e1f91e3c96ea2acee2bc34119f92b37750'

describe('The call of the validator', () => {
  test('has a fixed origin, all gas of a transaction, and the code before the arguments', () => {
    const call = validatorCall(account, 'hello', '0x1b')
    expect(call).toMatchObject({ from: callOrigin, gas: '0x1000000' })
    expect(call?.data.startsWith(`0x${validatorCode}`)).toBe(true)
  })

  test('asks about the text that was signed, without a factory', () => {
    expect(argumentsOf(`0x${'AB'.repeat(33)}`)).toEqual([
      ...[word('a1'.repeat(20)), digest, word('a0'), word(''), word('0100')],
      ...[word('21'), 'ab'.repeat(32), `ab${'0'.repeat(62)}`],
      word(''),
    ])
  })

  /** A signature of ERC-6492 in words: the factory is called with `c0de`, and the signature is `5160`. */
  const wrapped = [
    ...[word(factory), word('60'), word('a0')],
    ...[word('2'), 'c0de'.padEnd(64, '0')],
    ...[word('2'), '5160'.padEnd(64, '0')],
  ]

  test('has the factory of ERC-6492, and the signature in it', () => {
    expect(argumentsOf(`0x${wrapped.join('')}${magic}`)).toEqual([
      ...[word('a1'.repeat(20)), digest, word('a0'), word(factory), word('e0')],
      ...[word('2'), '5160'.padEnd(64, '0')],
      ...[word('2'), 'c0de'.padEnd(64, '0')],
    ])
  })

  const changed = (index: number, digits: string) => wrapped.with(index, digits).join('')

  test.each([
    ['nothing before the magic', ''],
    ['half a word', wrapped.join('').slice(0, 32)],
    ['a word too few', wrapped.slice(0, -1).join('')],
    ['a word too many', wrapped.join('') + word('')],
    ['a factory of 21 bytes', changed(0, word(`01${factory}`))],
    ['an offset into the first word', changed(1, word('0'))],
    ['an offset beyond the end', changed(2, 'f'.repeat(64))],
    ['an offset between two words', changed(2, word('a1'))],
    ['both offsets the same', changed(2, word('60'))],
    ['more bytes than there are', changed(5, word('21'))],
    ['as many bytes as a word can say', changed(3, 'f'.repeat(64))],
    ['padding that is not zero', changed(6, '5160'.padEnd(64, '1'))],
  ])('is none for a signature of ERC-6492 with %s', (_, body) => {
    expect(validatorCall(account, 'hello', `0x${body}${magic}`)).toBeUndefined()
  })

  test('is none for a signature of ERC-6492 in another one', () => {
    const inner = wrapped.join('') + magic
    const outer = [word(factory), word('60'), word('a0'), word('2'), 'c0de'.padEnd(64, '0')]
    const length = word((inner.length / 2).toString(16))
    expect(argumentsOf(`0x${outer.join('')}${length}${inner}${magic}`)).toBeUndefined()
    const other = `${inner.slice(0, -1)}3`
    expect(argumentsOf(`0x${outer.join('')}${length}${other}${magic}`)).toContain(word(factory))
  })

  test.each([
    ['0x01', 'accepts'],
    ['0x00', 'refuses'],
    ['0x02', 'no_account'],
    ['0x', undefined],
    ['0x03', undefined],
    ['0x1', undefined],
    [word('1'), undefined],
    [1, undefined],
    [null, undefined],
  ])('reads the result %s as %s', (result, answer) => {
    expect(validatorAnswer(result)).toBe(answer)
  })
})
