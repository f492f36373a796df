import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

const docs = join(import.meta.dirname, '../../docs')

/** The AWS CLI commands of the documentation are commands that the AWS CLI has, with options that it knows. */
export async function checkCliCommands(python: string): Promise<void> {
  const pages = (await readdir(docs)).filter((name) => name.endsWith('.md'))
  const output = await runCommand({
    name: 'cli-commands.py',
    file: python,
    args: [join(import.meta.dirname, 'cli-commands.py'), ...pages.map((name) => join(docs, name))],
    seconds: 60,
  })
  const lines = output.trim().split('\n')
  const [count = ''] = lines.splice(-1)
  assert.deepEqual(lines, [])
  // Otherwise the commands were not found.
  assert.ok(Number.parseInt(count, 10) >= 30, count)
}
