import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deployedDocument } from '../../lib/contract/deployed-document.ts'
import type { Feature } from '../../lib/contract/route.ts'
import { newFolder } from '../support/command-fixture.ts'
import { documentFile, runTool } from './run-tool.ts'

// The linter runs like that of a user, in a folder without the configuration of this repository.

const whole = JSON.parse(readFileSync(documentFile, 'utf8'))

const deployments: readonly (readonly Feature[])[] = [
  [],
  ['walletSignIn'],
  ['webhooks'],
  ['walletSignIn', 'webhooks'],
]

/** Writes the document of a deployment without some features into a new folder. */
async function newFolderWith(absent: readonly Feature[]): Promise<string> {
  const folder = newFolder()
  await writeFile(
    join(folder, 'openapi.json'),
    JSON.stringify(deployedDocument(whole, absent), null, 2),
  )
  return folder
}

test.each(deployments)(
  'Redocly in its strictest configuration has no finding without %s %s',
  async (...absent) => {
    const folder = await newFolderWith(absent)
    const args = ['lint', 'openapi.json', '--extends', 'recommended-strict', '--format', 'json']
    const { exitCode, stdout } = await runTool('redocly', args, folder)
    const report = JSON.parse(stdout)
    expect(report.problems).toEqual([])
    expect(report.totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
    expect(exitCode).toBe(0)
  },
)
