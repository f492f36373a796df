import { expect, test } from 'vitest'
import { validatorCall } from '../../../lib/adapters/accounts/validator-call.ts'
import { validatorCode } from '../../../lib/adapters/accounts/validator-code.ts'
import { personalDigest } from '../../../lib/adapters/personal-digest.ts'
import { toAddress } from '../../../lib/domain/nft/address.ts'
import { callOf, encoded } from '../../support/smart-accounts/contracts.ts'
import { wrapped } from '../../support/smart-accounts/signers.ts'

const some = (bytes: number) => 'ab'.repeat(bytes)
const address = some(20)
const [word, point] = [some(32), some(64)]

/** What an authenticator signs: its data, and JSON with the origin, to which Chrome adds a hundred characters at times. */
const [authenticatorData, clientData] = [{ bytes: some(37) }, { bytes: some(270) }]

const arrayOf = (value: Parameters<typeof encoded>[0]) => ({
  encoding: `${encoded(1)}${encoded(value)}`,
})

/** coinbase/smart-wallet, as src/account-abstraction/accounts/implementations/toCoinbaseSmartAccount.ts of wevm/viem signs. */
const webAuthn = encoded({ encoding: encoded(authenticatorData, clientData, 23, 1, word, word) })
const coinbase = {
  factory: address,
  call: callOf('createAccount(bytes[],uint256)', arrayOf({ bytes: point }), 0),
  signature: encoded({ encoding: encoded(0, { bytes: webAuthn }) }),
}
const call3 = { encoding: encoded(coinbase.factory, 0, { bytes: coinbase.call }) }

/** zerodevapp/kernel, version 3, whose root validator is a passkey: interfaces of its factories and of `initialize`. */
const validatorData = { bytes: `${point}${word}` }
const initialize = callOf(
  'initialize(bytes21,address,bytes,bytes,bytes[])',
  ...[`01${address}`.padEnd(64, '0'), address, validatorData, { bytes: '' }],
  { encoding: encoded(0) },
)
const kernel = {
  factory: address,
  call: callOf('deployWithFactory(address,bytes,bytes32)', address, { bytes: initialize }, word),
  signature: `01${address}${encoded(authenticatorData, clientData, 23, word, word, 0)}`,
}

/**
 * 0xsequence/sequence.js, packages/wallet/primitives/src/{erc-6492,signature,extensions/passkeys}.ts: a flag, the checkpointer, the
 * checkpoint and the threshold, then the guard's key, four nodes, and a passkey with its key and what it signs.
 */
const ofPasskey = some(1 + 2 + 37 + 2 + 270 + 4 + 64 + 64)
const ofConfiguration = `${some(1 + 20 + 3 + 7 + 1)}${some(65)}${some(4 * 33)}${some(1 + 20 + 2)}${ofPasskey}`
const sequence = {
  factory: address,
  call: callOf('deploy(address,bytes32)', address, word),
  signature: ofConfiguration,
}
/** One whose owners have changed: the signatures of the changes follow in a chain. */
const changes = `${some(3)}${ofConfiguration}`

const account = toAddress(`0x${address}`)
const digest = Buffer.from(personalDigest('hello')).toString('hex')

test.each([
  ['Coinbase Smart Wallet', coinbase, 1_216],
  [
    'Coinbase Smart Wallet, created by Multicall3',
    { ...coinbase, call: callOf('aggregate3((address,bool,bytes)[])', arrayOf(call3)) },
    1_472,
  ],
  ['Kernel', kernel, 1_376],
  ['Sequence', sequence, 992],
  ['Sequence after five changes', { ...sequence, signature: some(9) + changes.repeat(6) }, 4_512],
])('%s signs in a form that is read', (_, { factory, call, signature }, bytes) => {
  const whole = wrapped(factory, call, signature)
  expect(whole.length / 2 - 1).toBe(bytes)
  expect(bytes).toBeLessThanOrEqual(8_191)
  const values = [address, digest, { bytes: signature }, factory, { bytes: call }]
  expect(validatorCall(account, 'hello', whole)?.data).toBe(
    `0x${validatorCode}${encoded(...values)}`,
  )
})
