import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runbook } from '../../../infra/alarms/runbook.ts'

test('docs/runbook.md has the alarms of the alarm table', () => {
  const page = readFileSync('docs/runbook.md', 'utf8')
  const isFresh = page === runbook(page)
  expect(isFresh, 'docs/runbook.md is stale: run `npm run runbook` and commit it').toBe(true)
})

test('a page without the part to write is refused', () => {
  expect(() => runbook('# Runbook')).toThrow('has no part to write')
})
