import { dirname, relative, resolve } from 'node:path'
import { expect, inject, test } from 'vitest'
import { sourcesOf } from '../../bench/cold-start/forbidden-modules.ts'
import { bundleFile, codeFilesOf, everyFeature, functionNames } from '../../infra/bundle/bundle.ts'
import { bundleSources } from '../../local/function-bundles.ts'

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
