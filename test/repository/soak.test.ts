import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { seedFrom } from '../support/vitest/seeded.ts'
import { onWindows } from '../support/vitest/windows.ts'

/** Starts the soak with a seed that it has to refuse, and returns its exit code and what it has printed. */
const soakWith = (given: string): Promise<{ code: unknown; printed: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], SEED: given }
    execFile('.ci/soak', { env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code, printed: stdout + stderr }),
    )
  })

describe('The seed of generated cases', () => {
  test('is the number in SEED', () => {
    expect(seedFrom('0')).toBe(0)
    expect(seedFrom('2147483647')).toBe(2 ** 31 - 1)
  })

  test('is a fixed one without SEED', () => {
    expect(seedFrom(undefined)).toBe(20_250_805)
  })

  test.each(['', '-1', '1e3', '0x10', '2147483648'])("is not taken from SEED='%s'", (given) =>
    expect(() => seedFrom(given)).toThrow(`SEED is '${given}'`),
  )

  test.skipIf(onWindows).each(['', 'seven', '2147483648', '99999999999999999999'])(
    "the soak refuses SEED='%s' before it begins",
    async (given) => {
      expect(await soakWith(given)).toEqual({
        code: 2,
        printed: `SEED is '${given}', but must be a whole number below 2147483648.\n`,
      })
    },
  )
})
