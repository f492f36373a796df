/** When tests are given up: long after the slowest of them has ended on a busy machine, so that only a test that hangs is. */
export const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}
