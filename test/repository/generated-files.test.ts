import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedFiles } from '../../scripts/generated-files.ts'

test.each(Object.entries(generatedFiles))('%s is up to date', (path, text) => {
  const isCurrent = readFileSync(path, 'utf8') === text()
  expect(isCurrent, `${path} is stale: run \`npm run generate\` and commit it`).toBe(true)
})
