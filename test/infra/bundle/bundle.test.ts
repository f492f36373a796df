import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundleFunctions } from '../../../infra/bundle/bundle.ts'
import { temporaryFolder } from '../../local/lambda/lambda-fixture.ts'

describe('bundling', () => {
  test('writes one self-contained CommonJS file for each function, whatever the files of the folder', async () => {
    const folder = await temporaryFolder()
    const source = join(folder, 'source')
    await mkdir(source)
    await writeFile(join(source, 'shared.ts'), `export const greeting: string = 'Hello'`)
    for (const name of ['hello', 'bye']) {
      await writeFile(
        join(source, `${name}.ts`),
        `import { greeting } from './shared.ts'
        import { hostname } from 'node:os'
        export const handler = async () => [greeting, ${JSON.stringify(name)}, typeof hostname()]`,
      )
    }
    const outDir = join(folder, 'out')
    await mkdir(outDir)
    await writeFile(join(outDir, 'package.json'), '{"type":"module"}')
    const bundles = await bundleFunctions({
      entryPoints: [join(source, 'hello.ts'), join(source, 'bye.ts')],
      outDir,
    })
    expect(bundles.map(({ name, file }) => ({ name, file }))).toEqual([
      { name: 'hello', file: join(outDir, 'hello', 'index.js') },
      { name: 'bye', file: join(outDir, 'bye', 'index.js') },
    ])
    for (const { name, file, bytes } of bundles) {
      const code = await readFile(file, 'utf8')
      expect(bytes).toBe(Buffer.byteLength(code))
      expect(code).not.toContain('sourceMappingURL')
      expect(existsSync(`${file}.map`)).toBe(true)
      const { handler } = createRequire(import.meta.url)(file)
      expect(await handler()).toEqual(['Hello', name, 'string'])
    }
  })

  test.each([
    ['does not compile', 'export const handler = ('],
    ['needs import.meta', 'export const handler = () => import.meta.url'],
    ['needs a module that is not there', `import './nowhere.ts'; export const handler = 1`],
  ])('rejects code that %s, and names the place', async (_, code) => {
    const folder = await temporaryFolder()
    const entryPoint = join(folder, 'broken.ts')
    await writeFile(entryPoint, code)
    const bundling = bundleFunctions({ entryPoints: [entryPoint], outDir: join(folder, 'broken') })
    await expect(bundling).rejects.toThrow(/broken\.ts:1:/)
  })
})
