import { afterEach, expect, test, vi } from 'vitest'
import { deploymentLimits } from '../../local/deployment-limits.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** The counts of all limits of sign-in, with these variables. */
async function countsWith(variables: Readonly<Record<string, string | undefined>>) {
  vi.resetModules()
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const { proofLimits, deviceCodeLimits, deviceGuessLimits } = await import(
    '../../lib/settings/sign-in-limits.ts'
  )
  const limits = { ...proofLimits(), ...deviceCodeLimits(), ...deviceGuessLimits() }
  expect(Object.entries(limits).filter(([name, limit]) => limit?.name !== name)).toEqual([])
  expect(Object.values(limits).every((limit) => limit?.perSeconds === 3_600)).toBe(true)
  return Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limit?.count]))
}

test('D107, D140: a half of what strangers could use up is for others', async () => {
  expect(await countsWith(deploymentLimits)).toEqual({
    ...{ sign_ins: 36_000, new_wallets: 18_000 },
    ...{ sign_ins_by_address: 600, new_wallets_by_address: 300 },
    ...{ refused_sign_ins_by_address: 60 },
    ...{ device_codes: 36_000, device_codes_of_pages: 18_000 },
    ...{ device_codes_by_address: 200, device_codes_of_pages_by_address: 200 },
    ...{ device_guesses: 10, device_guesses_by_address: 200 },
  })
  expect(await countsWith({ ...deploymentLimits, SIGN_INS_PER_HOUR: '601' })).toMatchObject({
    ...{ sign_ins: 601, new_wallets: 301 },
  })
})

test('D107: a limit without its setting does not apply', async () => {
  expect(await countsWith({})).toEqual({})
})
