/**
 * When tests are given up: long after the slowest of them has ended on a busy machine, so that only a test that hangs is. The soak,
 * which sets SEED, generates many times as many cases, some for an hour.
 */
export const patience = {
  testTimeout: process.env['SEED'] === undefined ? 120_000 : 10_800_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}
