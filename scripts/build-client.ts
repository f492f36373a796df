// `npm pack` and `npm publish` in clients/typescript run it first.

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { helpIfAsked } from '@player-nfts/local/help'
import { build } from 'esbuild'

helpIfAsked([
  'Usage: npm run build:client',
  '',
  'Builds the TypeScript client in clients/typescript/dist, for npm pack and npm publish.',
])

const root = join(import.meta.dirname, '..')
const folder = join(root, 'clients/typescript')
const formats = { esm: 'module', cjs: 'commonjs' } as const

rmSync(join(folder, 'dist'), { recursive: true, force: true })
for (const [format, type] of Object.entries(formats)) {
  const outdir = join(folder, 'dist', format)
  await build({
    absWorkingDir: folder,
    entryPoints: ['src/index.ts', 'src/verify.ts'],
    outdir,
    bundle: true,
    format: format as keyof typeof formats,
    platform: 'neutral',
    target: 'es2022',
    external: ['jose'],
    logLevel: 'warning',
  })
  writeTypes(outdir)
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify({ type })}\n`)
}
for (const file of ['LICENSE', 'NOTICE']) copyFileSync(join(root, file), join(folder, file))

/** Writes the declarations. TypeScript keeps `.ts` in their imports, which is not the name of their files. */
function writeTypes(outdir: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly']
  const args = [compiler, '-p', join(folder, 'tsconfig.json'), ...options, '--outDir', outdir]
  mkdirSync(outdir, { recursive: true })
  execFileSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  for (const name of readdirSync(outdir).filter((file) => file.endsWith('.d.ts'))) {
    const file = join(outdir, name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/((?:from |import\()['"]\.\/[^'"]+)\.ts(?=['"])/g, '$1.js'))
  }
}
