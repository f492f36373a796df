import { expect, test } from 'vitest'
import { hmacDeviceCodes } from '../../../lib/adapters/hmac/device-codes.ts'

const codes = hmacDeviceCodes(async () => 'the secret')

test('D101: a device code contains its user code and 256 random bits, and is read in another container', async () => {
  const code = await codes.newDeviceCode('BCDFGHJK')
  expect(code).toMatch(/^BCDFGHJK\.[\w-]{43}\.[0-9A-Za-z]{22}$/)
  expect(await codes.newDeviceCode('BCDFGHJK')).not.toBe(code)
  expect(await hmacDeviceCodes(async () => 'the secret').userCodeOf(code)).toBe('BCDFGHJK')
})

test('D129: any other text is no device code', async () => {
  const code = await codes.newDeviceCode('BCDFGHJK')
  const others = [...code].flatMap((character, at) => [
    code.slice(0, at) + (character === 'B' ? 'C' : 'B') + code.slice(at + 1),
    code.slice(0, at) + code.slice(at + 1),
    `${code.slice(0, at)}B${code.slice(at)}`,
  ])
  const untagged = code.slice(0, code.lastIndexOf('.'))
  const foreign = await hmacDeviceCodes(async () => 'another').newDeviceCode('BCDFGHJK')
  for (const other of ['', '..', untagged, `${code}\n`, code.toLowerCase(), foreign, ...others])
    expect(await codes.userCodeOf(other), other).toBeUndefined()
})
