import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const run = promisify(execFile)
const read = (name: string) => readFileSync(`.github/workflows/${name}.yml`, 'utf8')

/** The workflow that deploys one stage after the other. */
export const stages = read('deploy')

/** The workflow that deploys one stage. */
export const stage = read('deploy-stage')

/** Whether this machine has the commands of the runners of these workflows, which are Linux machines. */
export const onRunner = process.platform === 'linux'

/** An expression of GitHub Actions. */
export const expression = (text: string): string => `\${{ ${text} }}`

/** The text of a job of a workflow. */
export function jobOf(workflow: string, name: string): string {
  const [, job = ''] = workflow.split(`\n  ${name}:\n`)
  return job.split(/\n {2}(?=\S)/)[0] as string
}

/** The commands of the step with a name. */
function commandsOf(name: string): string {
  const [, block] = new RegExp(`name: ${name}\n(?:.+\n)*? +run: \\|\n((?: {10}.*\n|\n)+)`).exec(
    `${stages}\n${stage}`,
  ) as RegExpExecArray
  return (block as string).replaceAll(/^ {10}/gm, '')
}

/** How a step has ended. */
export interface StepRun {
  code: number
  /** What the step has printed: errors of the workflow are a part of it. */
  printed: string
  /** The summary of the job. */
  summary: string
  /** The outputs of the step. */
  outputs: string
}

/** What a step finds. */
export interface Given {
  /** Lines of sh in place of the installed commands. */
  commands?: Record<string, string>
  files?: Record<string, string>
  variables?: Record<string, string>
}

/** Runs the commands of a step as GitHub does, in a folder of its own. */
export async function runStep(name: string, given: Given): Promise<StepRun> {
  const folder = await mkdtemp(join(tmpdir(), 'player-nfts-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [command, lines] of Object.entries(given.commands ?? {})) {
    await writeFile(join(folder, command), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  }
  const files = { 'step.sh': commandsOf(name), summary: '', outputs: '', ...given.files }
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  const env = {
    PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH']}`,
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    GITHUB_OUTPUT: join(folder, 'outputs'),
    ...given.variables,
  }
  // With `shell: bash`, GitHub starts bash like this.
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', 'step.sh']
  const { code, stdout } = await run('bash', shell, { cwd: folder, env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error) => error as { code: number; stdout: string },
  )
  const summary = await readFile(env.GITHUB_STEP_SUMMARY, 'utf8')
  const outputs = await readFile(env.GITHUB_OUTPUT, 'utf8')
  return { code, printed: stdout, summary, outputs }
}
