import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the browser tests, whose packages npm test does not install, have no type errors', () => {
  const args = ['node_modules/typescript/bin/tsc', '--project', 'test/browser']
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
})
