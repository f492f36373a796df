import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newFolder } from '../../support/command-fixture.ts'
import { onWindows } from '../../support/vitest/windows.ts'

const exec = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

const first = 'npm run build:client\n'

/** The commands of a page that install the client, after a paragraph that says why they are necessary. */
function commandsOf(page: string): string {
  const text = readFileSync(join(root, page), 'utf8')
  const [before = '', rest = ''] = text.split(`\n\`\`\`text\n${first}`)
  expect(before.trim().split('\n\n').at(-1)?.replace('\n', ' ')).toContain('release on npm')
  return first + rest.split('```')[0]
}

test.skipIf(onWindows)(
  'four commands of both READMEs install the client into a new folder',
  async () => {
    const commands = commandsOf('README.md')
    expect(commandsOf('clients/typescript/README.md')).toBe(commands)
    expect(commands.trim().split('\n')).toHaveLength(4)
    const game = join(newFolder(), 'my-game')
    // Nothing is asked of a registry.
    const env = { ...process.env, npm_config_offline: 'true', NODE_OPTIONS: '' }
    const script = `set -e\n${commands.replaceAll('../my-game', game)}`
    await exec('bash', ['-c', script], { cwd: root, env })
    const program = "console.log(typeof require('player-nfts-client').PlayerNfts)"
    const { stdout } = await exec(process.execPath, ['-e', program], { cwd: game })
    expect(stdout).toBe('function\n')
  },
)
