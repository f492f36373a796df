import { readFileSync } from 'node:fs'
import { localSettingTable } from '@player-nfts/local/settings'
import { expect, test } from 'vitest'
import { run } from '../support/command-fixture.ts'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
}

/** The commands of this project, without those that pass their arguments on to a tool. */
const commands = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /run\.mjs (?:--\S+ )*((?:bench|local|scripts|test)\/\S+\.ts)/.exec(command) ?? []
  return file === undefined ? [] : [[name, file] as const]
})

test.each(commands)('npm run %s -- --help prints the usage', async (_, file) => {
  const { code, stdout, stderr } = await run(file, ['--help']).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^Usage: npm (start|test|run )/)
})

test('npm start -- --help prints every setting with its default', async () => {
  const { stdout } = await run('local/start.ts', ['-h']).ended
  for (const [name, { default: value }] of Object.entries(localSettingTable) as [
    string,
    { default?: unknown },
  ][]) {
    const [line] = stdout.split('\n').filter((text) => text.startsWith(`  ${name} `))
    expect(line).toContain(value === undefined ? name : `[${value}]`)
  }
})
