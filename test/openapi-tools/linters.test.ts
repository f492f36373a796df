import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../support/command-fixture.ts'
import { documentFile, runTool, wholeDocumentFile } from './run-tool.ts'

// Each linter runs like that of a user, in a folder without the configuration of this repository.

const documents = [documentFile, wholeDocumentFile].map((file) => [basename(file), file] as const)

test.each(documents)(
  'Redocly in its strictest configuration has no finding in %s',
  async (_, file) => {
    const args = ['lint', file, '--extends', 'recommended-strict', '--format', 'json']
    const { exitCode, stdout } = await runTool('redocly', args, newFolder())
    const report = JSON.parse(stdout)
    expect(report.problems).toEqual([])
    expect(report.totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
    expect(exitCode).toBe(0)
  },
)

test.each(documents)('Spectral with its default rules has no finding in %s', async (_, file) => {
  const folder = newFolder()
  await writeFile(join(folder, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n')
  const args = ['lint', file, '--ruleset', 'ruleset.yaml', '--format', 'json', '--quiet']
  const { exitCode, stdout } = await runTool(
    'spectral',
    [...args, '--fail-severity', 'hint'],
    folder,
  )
  expect(JSON.parse(stdout)).toEqual([])
  expect(exitCode).toBe(0)
})
