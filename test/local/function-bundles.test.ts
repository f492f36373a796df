import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { expect, inject, test } from 'vitest'
import { bundleFile, functionNames } from '../../infra/bundle/bundle.ts'
import { bundleSources } from '../../local/function-bundles.ts'

test('a change of any source file of a function makes new bundles', async () => {
  const bundles = functionNames.map((name) => bundleFile(inject('functionsDir'), name))
  const files = new Set((await Promise.all(bundles.map(sourceFiles))).flat())
  const isSource = (file: string) =>
    bundleSources.some((source) => file === source || file.startsWith(`${source}/`))
  expect(files.size).toBeGreaterThan(functionNames.length)
  expect([...files].filter((file) => !isSource(file))).toEqual([])
})

/** The files of this project in a bundle, according to its source map. */
async function sourceFiles(bundle: string): Promise<string[]> {
  const { sources } = JSON.parse(await readFile(`${bundle}.map`, 'utf8')) as { sources: string[] }
  return sources
    .filter((source) => !/node_modules|^(evaluated|lazy|protocol|substitute|unused):/.test(source))
    .map((source) => relative('.', resolve(dirname(bundle), source)))
}
