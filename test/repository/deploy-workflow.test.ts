import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { onWindows } from '../support/vitest/windows.ts'

const run = promisify(execFile)
const workflow = await readFile('.github/workflows/deploy-stage.yml', 'utf8')

/** The arguments with which GitHub starts bash: pipefail only if the workflow names the shell. */
const shell = workflow.includes('shell: bash')
  ? ['--noprofile', '--norc', '-eo', 'pipefail']
  : ['-e']

/** The commands of the step with a name. */
function commandsOf(name: string): string {
  const [, block] = new RegExp(`name: ${name}\n(?:.+\n)*? +run: \\|\n((?: {10}.+\n)+)`).exec(
    workflow,
  ) as RegExpExecArray
  return (block as string).replaceAll(/^ {10}/gm, '')
}

/** Runs the step that shows the difference with this `npx`, and returns its exit code and the summary of the job. */
async function showDifference(npx: string): Promise<{ code: number; summary: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'player-nfts-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const summaryFile = join(folder, 'summary.md')
  await writeFile(join(folder, 'npx'), `#!/bin/sh\n${npx}\n`, { mode: 0o755 })
  await writeFile(join(folder, 'step.sh'), commandsOf('Show the difference to the deployed stack'))
  await writeFile(summaryFile, '')
  const PATH = `${folder}:${process.env['PATH']}`
  const env = { PATH, SETTINGS: 'deployments/prod.json', GITHUB_STEP_SUMMARY: summaryFile }
  const code = await run('bash', [...shell, 'step.sh'], { cwd: folder, env }).then(
    () => 0,
    (error) => error.code,
  )
  return { code, summary: await readFile(summaryFile, 'utf8') }
}

describe.skipIf(onWindows)('the step of the workflow that shows the difference', () => {
  test('writes what cdk diff prints into the summary that the reviewers read', async () => {
    const { code, summary } = await showDifference('echo "$@" >&2')
    expect(code).toBe(0)
    expect(summary).toBe(
      '```text\ncdk diff --method template --context settings=deployments/prod.json\n```\n',
    )
  })

  test('fails if cdk diff fails, so that nobody approves a deployment without a difference', async () => {
    expect(await showDifference('exit 1')).toEqual({ code: 1, summary: '' })
  })
})
