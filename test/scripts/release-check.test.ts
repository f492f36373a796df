import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  checkChangelog,
  checkCommits,
  checkPackage,
  checkProvenance,
  checkVersion,
} from '../../scripts/release-check/release-checks.ts'
import { newFolder } from '../support/command-fixture.ts'

const client = join(import.meta.dirname, '../../clients/typescript')

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = newFolder()
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

describe('The check of a release of the client', () => {
  test('names the files that differ from their commit', async () => {
    const folder = await folderWith({ 'a file.ts': '', 'b.ts': '' })
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
    git('init', '-q')
    git('add', '.')
    git('-c', 'user.name=A', '-c', 'user.email=a@a.example', 'commit', '-qm', 'Begin')
    expect((await checkCommits(folder)).problems).toEqual([])
    await writeFile(join(folder, 'b.ts'), 'changed')
    expect((await checkCommits(folder)).problems).toEqual([
      'b.ts differs from its commit: commit or restore it.',
    ])
  })

  test.each([
    ['1.2.3', '1.2.3', ['1.2.2'], null],
    ['1.2', '1.2', [], 'three numbers'],
    ['1.2.3-beta', '1.2.3-beta', [], 'three numbers'],
    ['1.2.3', '1.2.2', [], 'that of package.json, 1.2.2'],
    ['1.2.3', '1.2.3', ['1.2.2', '1.2.3'], 'already on npm'],
  ])('of version %s beside %s, with %j on npm: %s', (version, repository, published, problem) => {
    const { problems } = checkVersion({ name: 'client', version }, { repository, published })
    expect(problems).toEqual(problem === null ? [] : [expect.stringContaining(problem)])
  })

  const change = '\n\n### Added\n\n- A door.\n'
  test.each([
    ['its day', `## 1.2.3 (2026-11-26)${change}\n## 1.2.2 (2026-10-01)${change}`, null],
    ['no day', `## 1.2.3 (unreleased)${change}`, 'is "1.2.3 (unreleased)"'],
    ['a day to come', `## 1.2.3 (2026-11-27)${change}`, 'is "1.2.3 (2026-11-27)"'],
    ['another version', `## 1.2.2 (2026-10-01)${change}`, 'is "1.2.2 (2026-10-01)"'],
    ['no entry', '', 'is ""'],
    ['no change', `## 1.2.3 (2026-11-26)\n\n## 1.2.2 (2026-10-01)${change}`, 'is empty'],
  ])('of a changelog with %s', (_, entries, problem) => {
    const { problems } = checkChangelog(`# Changelog\n\n${entries}`, '1.2.3', '2026-11-26')
    if (problem === null) expect(problems).toEqual([])
    else expect(problems[0]).toContain(problem)
  })

  test('wants the provenance of the package', () => {
    const manifest = { name: 'client', version: '1.2.3' }
    const settings = { access: 'public', provenance: true }
    expect(checkProvenance({ ...manifest, publishConfig: settings }).problems).toEqual([])
    for (const lacking of [{ access: 'public' }, { ...settings, provenance: false }]) {
      expect(checkProvenance({ ...manifest, publishConfig: lacking }).problems).toHaveLength(1)
    }
    expect(checkProvenance(manifest).problems).toHaveLength(1)
  })

  test('finds nothing missing in the package', async () => {
    expect((await checkPackage(client)).problems).toEqual([])
  })

  test('names each fault of a package', async () => {
    const manifest = {
      name: 'client',
      version: '1.2.3',
      type: 'module',
      main: './dist/esm/none.js',
    }
    const folder = await folderWith({
      'package.json': JSON.stringify(manifest),
      'README.md': '# Client',
      LICENSE: '',
      'dist/esm/index.js': '',
      'src/index.ts': '',
    })
    await writeFile(join(folder, 'dist/esm/map.js'), `// ${folder}/src/index.ts`)
    expect((await checkPackage(folder)).problems).toEqual([
      'The package lacks NOTICE.',
      `dist/esm/map.js contains a path of this machine, ${folder}.`,
      'The package must not contain src/index.ts.',
      expect.stringContaining('none.js'),
    ])
  })
})
