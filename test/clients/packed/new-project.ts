import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { newFolder } from '../../support/command-fixture.ts'

const exec = promisify(execFile)
const packages = join(import.meta.dirname, '../packages/node_modules')

/** The executables of the versions of Node that the client supports. Node 20 is missing on some platforms. */
export const nodes: [version: string, executable: string][] = [
  ['24', process.execPath],
  ['20', nodeOf('20')],
].filter((node): node is [string, string] => existsSync(node[1] ?? ''))

/** The executable of an older version of Node. It does not exist on platforms that this version lacks. */
export function nodeOf(version: string): string {
  const name = `node-${version}-${process.platform}-${process.arch}`
  return join(packages, name, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node')
}

/** What a project is made of. */
export interface ProjectOptions {
  type?: 'module' | 'commonjs'
  /** Packages beside the client, by the names that the project imports. */
  packages?: Record<string, string>
  files?: Record<string, string>
}

/** A new project in a folder of its own, in which the packed client is installed. */
export async function newProject({
  type = 'module',
  packages: own = {},
  files = {},
}: ProjectOptions) {
  const folder = newFolder()
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  await write('package.json', JSON.stringify({ name: 'game', private: true, type }))
  const args = ['install', '--offline', '--no-audit', '--no-fund', inject('clientPackage')]
  await exec('npm', args, { cwd: folder, shell: process.platform === 'win32' })
  for (const [name, source] of Object.entries(own)) {
    const target = join(folder, 'node_modules', name)
    await mkdir(dirname(target), { recursive: true })
    await symlink(join(packages, source), target, 'junction')
  }
  for (const [name, text] of Object.entries(files)) await write(name, text)
  return {
    folder,
    write,
    /** Runs a program of the project, and returns its standard output. Rejects with what it prints if it fails. */
    async run(node: string, args: string[], variables: Record<string, string> = {}) {
      const env = { ...process.env, ...variables, NODE_OPTIONS: '' }
      const ended = await exec(node, args, { cwd: folder, env, timeout: 200_000 }).catch(
        (error) => {
          throw new Error(`${error.stdout}\n${error.stderr}`)
        },
      )
      return ended.stdout
    },
  }
}

/** The compiler of a version of TypeScript, as an argument of Node. */
export const compiler = (name: 'typescript' | 'typescript-5-0') => join(packages, name, 'bin/tsc')
