import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { sourcesOf } from '../../bench/cold-start/forbidden-modules.ts'
import { bundleFile, codeFilesOf, everyFeature, functionNames } from '../../infra/bundle/bundle.ts'
import { newFolder } from '../../test/support/command-fixture.ts'
import {
  bundleSources,
  contentDigest,
  createRunFolder,
  provideFolder,
} from '../function-bundles.ts'

/** A cache whose content is the number of times it was made. `state.digest` stands for its sources. */
function setUp(cacheDir = join(newFolder(), 'cache')) {
  const state = { digest: 'one', made: 0 }
  const outDirs = newFolder()
  let outDir = 0
  /** Returns the content of a new folder. */
  const provide = async (whileMaking: () => void = () => undefined) => {
    const folder = join(outDirs, `${outDir++}`)
    await provideFolder(folder, {
      cacheDir,
      digest: async () => state.digest,
      make: async (made) => {
        mkdirSync(join(made, 'deep'), { recursive: true })
        writeFileSync(join(made, 'deep/file'), `made ${++state.made}`)
        whileMaking()
      },
    })
    return readFileSync(join(folder, 'deep/file'), 'utf8')
  }
  return { cacheDir, state, provide }
}

describe('a folder from the cache', () => {
  test('is made once for the same digest', async () => {
    const { provide } = setUp()
    expect(await provide()).toBe('made 1')
    expect(await provide()).toBe('made 1')
  })

  test('is made again for another digest, and only the latest is kept', async () => {
    const { cacheDir, state, provide } = setUp()
    await provide()
    state.digest = 'two'
    expect(await provide()).toBe('made 2')
    expect(await provide()).toBe('made 2')
    expect(readdirSync(cacheDir)).toEqual(['two'])
  })

  test('is not kept if its sources change while it is made', async () => {
    const { state, provide } = setUp()
    await provide(() => {
      state.digest = 'two'
    })
    state.digest = 'one'
    expect(await provide()).toBe('made 2')
  })

  test('is made each time if the cache cannot be written', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    const { provide } = setUp(file)
    expect(await provide()).toBe('made 1')
    expect(await provide()).toBe('made 2')
  })
})

test('the digest of contents changes with every name and every content', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'lib/deep'), { recursive: true })
  writeFileSync(join(folder, 'lib/deep/a.ts'), 'a')
  writeFileSync(join(folder, 'lock.json'), '{}')
  const digest = () => contentDigest(folder, ['lib', 'lock.json'])
  const digests = [await digest()]
  const changes = [
    () => writeFileSync(join(folder, 'lib/deep/a.ts'), 'b'),
    () => writeFileSync(join(folder, 'lock.json'), '[]'),
    () => renameSync(join(folder, 'lib/deep/a.ts'), join(folder, 'lib/deep/b.ts')),
    () => writeFileSync(join(folder, 'lib/a.ts'), ''),
    () => rmSync(join(folder, 'lib/deep/b.ts')),
  ]
  for (const change of changes) {
    change()
    digests.push(await digest())
  }
  expect(new Set(digests).size).toBe(6)
  writeFileSync(join(folder, 'notes.txt'), 'not a source')
  expect(await digest()).toBe(digests.at(-1))
})

test('a run deletes the folder of a killed run, and none of a run that goes on', async () => {
  const temporary = newFolder()
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { pid } = spawnSync(process.execPath, ['--version'])
  mkdirSync(join(temporary, `player-nfts-run-${pid}-killed/content`), { recursive: true })
  const folders = [await createRunFolder(), await createRunFolder()]
  const names = folders.map(({ path }) => basename(path))
  expect(readdirSync(temporary).toSorted()).toEqual(names.toSorted())
  for (const folder of folders) await folder.remove()
  expect(readdirSync(temporary)).toEqual([])
})

test('a change of any source file of a function makes new bundles', async () => {
  const bundles = functionNames(everyFeature).map((name) =>
    bundleFile(inject('functionsDir'), name),
  )
  const codeFiles = (await Promise.all(bundles.map(codeFilesOf))).flat()
  const files = new Set((await Promise.all(codeFiles.map(sourceFiles))).flat())
  const isSource = (file: string) =>
    bundleSources.some((source) => file === source || file.startsWith(`${source}/`))
  expect(files.size).toBeGreaterThan(functionNames(everyFeature).length)
  expect([...files].filter((file) => !isSource(file))).toEqual([])
})

/** The files of this project in a file of a bundle, according to its source map. */
async function sourceFiles(codeFile: string): Promise<string[]> {
  return (await sourcesOf(codeFile))
    .filter((source) => !/node_modules|^(late|lazy|protocol|substitute|unused):/.test(source))
    .map((source) => relative('.', resolve(dirname(codeFile), source)))
}
