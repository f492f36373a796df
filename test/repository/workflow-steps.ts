import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { newFolder } from '../support/command-fixture.ts'

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

/** What commands find. */
export interface Given {
  /** Lines of sh in place of the installed commands. */
  commands?: Record<string, string>
  files?: Record<string, string>
  variables?: Record<string, string>
}

/** Runs commands in a folder of their own, which is the beginning of the path. Returns how they have ended. */
export async function runCommands([shell, ...args]: [string, ...string[]], given: Given) {
  const folder = newFolder()
  for (const [command, lines] of Object.entries(given.commands ?? {})) {
    await writeFile(join(folder, command), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  }
  for (const [file, text] of Object.entries(given.files ?? {})) {
    await writeFile(join(folder, file), text)
  }
  const PATH = `${folder}:${dirname(process.execPath)}:${process.env['PATH']}`
  const ended = await run(shell, args, { cwd: folder, env: { PATH, ...given.variables } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => error as { code: number; stdout: string; stderr: string },
  )
  return { ...ended, read: (file: string) => readFile(join(folder, file), 'utf8') }
}

/**
 * Runs the commands of a step as GitHub does. Returns what it has printed, which has the errors of the workflow, the summary
 * of the job, and the outputs of the step.
 */
export async function runStep(name: string, given: Given) {
  // With `shell: bash`, GitHub starts bash like this.
  const shell = ['--noprofile', '--norc', '-eo', 'pipefail', 'step.sh']
  const { code, stdout, read } = await runCommands(['bash', ...shell], {
    commands: given.commands ?? {},
    files: { 'step.sh': commandsOf(name), summary: '', outputs: '', ...given.files },
    variables: { GITHUB_STEP_SUMMARY: 'summary', GITHUB_OUTPUT: 'outputs', ...given.variables },
  })
  return { code, printed: stdout, summary: await read('summary'), outputs: await read('outputs') }
}
