import { expect, test } from 'vitest'
import { isOfExecution } from '../../../lib/adapters/accounts/call-errors.ts'

test.each([
  [3, 'execution reverted: unauthorized'],
  [3, 'a revert of another client'],
  [-32_000, 'execution reverted'],
  [-32_000, 'execution reverted: rate limit exceeded'],
  [-32_000, 'out of gas'],
  [-32_003, 'out of gas: gas required exceeds: 16777216'],
  [-32_003, 'Out of gas: gas exhausted during memory expansion: 16777216'],
  [-32_000, 'gas uint64 overflow'],
  [-32_000, 'contract creation code storage out of gas'],
  [-32_000, 'invalid opcode: INVALID'],
  [-32_000, 'Bad instruction'],
  [-32_000, 'invalid jump destination'],
  [-32_000, 'Bad jump destination'],
  [-32_000, 'stack underflow (0 <=> 1)'],
  [-32_000, 'stack limit reached 1024 (1023)'],
  [-32_000, 'max code size exceeded'],
  [-32_000, 'err: max initcode size exceeded: code size 49153 limit 49152 (supplied gas 16777216)'],
  [-32_000, 'Code is too large'],
  [-32_000, 'invalid code: must not begin with 0xef'],
  [-32_000, 'write protection'],
  [-32_000, 'EVM error: InvalidFEOpcode'],
  [-32_000, 'EVM error CreateContractSizeLimit'],
  [-32_015, 'VM execution error.'],
  [-32_603, 'VM Exception while processing transaction: reverted with reason string'],
])('D158: the execution has failed: %i %s', (code, message) => {
  expect(isOfExecution({ code, message })).toBe(true)
})

test.each([
  [-32_000, 'header not found'],
  [-32_000, 'missing trie node'],
  [-32_000, 'execution aborted (timeout = 5s)'],
  [-32_000, 'gas limit is too high: out of gas'],
  [-32_000, 'EVM error: Database(…)'],
  [-32_005, 'limit exceeded'],
  [-32_603, 'Internal error'],
  [429, 'Your app has exceeded its compute units per second capacity'],
  ['3', 'a code that is a text'],
  [undefined, undefined],
])('D158: nobody knows what happened: %s %s', (code, message) => {
  expect(isOfExecution({ code, message })).toBe(false)
})
