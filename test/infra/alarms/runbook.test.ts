import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runbook } from '../../../infra/alarms/runbook.ts'

test('docs/runbook.md is the runbook of the alarm table', () => {
  const isFresh = readFileSync('docs/runbook.md', 'utf8') === runbook()
  expect(isFresh, 'docs/runbook.md is stale: run `npm run runbook` and commit it').toBe(true)
})
