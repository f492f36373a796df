import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newFolder } from '../support/command-fixture.ts'

/** A line that breaks a rule in the first file, and is permitted in the second. */
const places: [rule: string, line: string, wrong: string, right: string][] = [
  ['noProcessEnv', 'export const a = process.env', 'lib/http/a.ts', 'lib/settings/part.ts'],
  ['noProcessEnv', 'export const b = process.env', 'functions/a/handler.ts', 'infra/a.ts'],
  ['noConsole', "console.log('a')", 'lib/observability/log.ts', 'infra/a.ts'],
  ['noConsole', "console.log('b')", 'functions/a/handler.ts', 'scripts/a.ts'],
  ['noRestrictedGlobals', "process.stdout.write('a')", 'lib/http/b.ts', 'lib/observability/log.ts'],
  ['noRestrictedGlobals', "process.exit('b')", 'functions/b/handler.ts', 'lib/settings/part.ts'],
  ['noUndeclaredDependencies', "import 'constructs'", 'lib/adapters/kms/a.ts', 'infra/a.ts'],
]

/** The rules that files with these lines break with the settings of this project, each with the file. */
function brokenRules(): string[] {
  const folder = newFolder(afterAll)
  for (const name of ['biome.json', '.gitignore', 'package.json']) {
    copyFileSync(name, join(folder, name))
  }
  for (const [, line, ...files] of places) {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), `${line}\n`, { flag: 'a' })
    }
  }
  const biome = resolve('node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none']
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] }
  return diagnostics.map(
    ({ category, location }) => `${category.split('/').at(-1)} ${location.path}`,
  )
}

interface Diagnostic {
  category: string
  location: { path: string }
}

const broken = brokenRules()

test.each(places)('%s: `%s` is wrong in %s, right in %s', (rule, _, wrong, right) => {
  expect([wrong, right].map((file) => broken.includes(`${rule} ${file}`))).toEqual([true, false])
})
