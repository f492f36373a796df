import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { permittedPlaces, rules } from './import-rule-tables.ts'

const BIOME = resolve('node_modules/@biomejs/biome/bin/biome')
const SETTINGS = ['biome.json', '.gitignore', 'package.json']

/** The forms in which a module can import another. */
const forms = (from: string): string[] => [
  `import { b } from '${from}'`,
  `import type { B } from '${from}'`,
  `import '${from}'`,
  `export { b } from '${from}'`,
  `export type { B } from '${from}'`,
  `export const a = await import('${from}')`,
]

const linesOf = new Map<string, string[]>()
let broken: Set<string>

/** Writes the line to a file that the linter reads. */
function put(file: string, line: string): void {
  linesOf.set(file, [...(linesOf.get(file) ?? []), line])
}

function breaks(rule: string, file: string, line: string): boolean {
  return broken.has(`${rule} ${file}:${(linesOf.get(file) ?? []).indexOf(line) + 1}`)
}

beforeAll(async () => {
  for (const [file, { allowed, forbidden }] of Object.entries(rules)) {
    for (const line of [...allowed, ...forbidden].flatMap(forms)) put(file, line)
  }
  for (const [, line, wrong, right] of permittedPlaces)
    for (const file of [wrong, right]) put(file, line)
  broken = await lint()
})

/** Lints all lines with the project's settings; returns `<rule> <file>:<line>` for each violation. */
async function lint(): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'import-rules-'))
  try {
    for (const name of SETTINGS) await copyFile(name, join(folder, name))
    for (const [file, lines] of linesOf) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), lines.join('\n'))
    }
    const args = [BIOME, 'lint', '--reporter=json', '--max-diagnostics=none']
    const report = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout
    const { diagnostics } = JSON.parse(report) as { diagnostics: Diagnostic[] }
    return new Set(diagnostics.map(offence))
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Diagnostic {
  category: string
  location: { path: string; start: { line: number } }
}

function offence({ category, location: { path, start } }: Diagnostic): string {
  return `${category.split('/').at(-1)} ${path}:${start.line}`
}

describe.each(Object.entries(rules))('%s', (file, { allowed, forbidden }) => {
  const isRed = (line: string) => breaks('noRestrictedImports', file, line)

  test('may import the modules that its folder depends on', () => {
    expect(allowed.flatMap(forms).filter(isRed)).toEqual([])
  })

  test('may import no other module, in any form', () => {
    expect(forbidden.flatMap(forms).filter((line) => !isRed(line))).toEqual([])
  })
})

test.each(permittedPlaces)('%s: `%s` is wrong in %s, right in %s', (rule, line, wrong, right) => {
  expect([wrong, right].map((file) => breaks(rule, file, line))).toEqual([true, false])
})
