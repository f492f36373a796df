import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire, SourceMap } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleFunctions } from '../../../infra/bundle/bundle.ts'
import { newFolder } from '../../support/command-fixture.ts'

/** Bundles modules, given as their texts by their names, and loads the bundle. `index.ts` is the entry point. */
async function bundled(modules: Record<string, string>) {
  const folder = newFolder()
  const source = join(folder, 'source')
  await mkdir(source)
  for (const [name, text] of Object.entries(modules)) await writeFile(join(source, name), text)
  const outDir = join(folder, 'out')
  await bundleFunctions({ entryPoints: [join(source, 'index.ts')], outDir })
  const file = join(outDir, 'index/index.js')
  const exported: Record<string, (...values: unknown[]) => unknown> = createRequire(file)(file)
  return { exported, file, code: await readFile(file, 'utf8') }
}

test('arrow functions become function expressions that do the same', async () => {
  const { exported, code } = await bundled({
    'index.ts': `
      export { products } from './products.js'
      export const sum = (first: number, ...others: number[]) =>
        others.reduce((total, other) => total + other, first)
      export const later = async ({ text = 'none' }: { text?: string } = {}) => await text`,
    'products.js': `
      export function products() {
        return [2, 3].map((value) => value * this.factor * arguments.length)
      }`,
  })
  const [, own] = code.split('module.exports=')
  expect(own).toMatch(/function/)
  expect(own).not.toContain('=>')
  expect(exported['sum']?.(1, 2, 3)).toBe(6)
  expect(await exported['later']?.()).toBe('none')
  expect(await exported['later']?.({ text: 'some' })).toBe('some')
  expect(exported['products']?.call({ factor: 10 }, 'one', 'two')).toEqual([40, 60])
})

test.each([
  ['before super()', 'constructor() { const late = () => this.name; super(); this.text = late() }'],
  ['in a field', 'own = () => this.name; text = this.own()'],
  ['in a static block', 'static { const own = () => this.label; this.prototype.text = own() }'],
  ['with super', 'get text() { return [1].map(() => super.toString())[0] }'],
])('arrow functions of classes stay, such as those %s', async (_, body) => {
  const { exported, code } = await bundled({
    'index.ts': `
      class Named { name = 'named'; static label = 'named'; toString() { return this.name } }
      class Text extends Named { ${body} }
      export const text = () => new Text().text`,
  })
  expect(code).toContain('=>')
  expect(exported['text']?.()).toBe('named')
})

test('a module that is imported for its effects only is still imported', async () => {
  const { exported } = await bundled({
    'index.ts': `
      import { noted } from './notes.ts'
      import { unused } from './effect.ts'
      export const notes = () => noted`,
    'notes.ts': 'export const noted: string[] = []',
    'effect.ts': `
      import { noted } from './notes.ts'
      noted.push('effect')
      export const unused = 1`,
  })
  expect(exported['notes']?.()).toEqual(['effect'])
})

test('the source map leads to the source', async () => {
  const text = `
    type Shape = { sides: number }
    export const broken = (shape: Shape) => {
      throw new Error(String(shape.sides))
    }`
  const { exported, file } = await bundled({ 'index.ts': text })
  let stack = ''
  try {
    exported['broken']?.({ sides: 3 })
  } catch (error) {
    stack = String((error as Error).stack)
  }
  const [, line = '', column = ''] = /index\.js:(\d+):(\d+)/.exec(stack) ?? []
  const map = new SourceMap(JSON.parse(await readFile(`${file}.map`, 'utf8')))
  expect(map.payload.sourcesContent).toEqual([text])
  expect(map.findOrigin(Number(line), Number(column))).toMatchObject({
    fileName: expect.stringMatching(/source\/index\.ts$/),
    lineNumber: 4,
    columnNumber: 13,
  })
})
