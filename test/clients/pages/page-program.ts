import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { onTestFinished } from 'vitest'
import { atFileEnd } from '../../support/vitest/at-file-end.ts'
import { nodeOf } from '../packed/new-project.ts'

const oldest = (page: string) =>
  /\bNode (\d+) (?:or|and) later/.exec(readFileSync(page, 'utf8'))?.[1]

/** The page that says which Node a program needs: that of the client, if the program imports it. */
const pageFor = (program: string) =>
  program.includes("'player-nfts-client'") ? 'clients/typescript/README.md' : 'README.md'

/**
 * The executable of the oldest Node that the pages name for a program. Throws if test/clients/packages lacks this version; on a
 * platform for which there is none, it is the project's own.
 */
export function readersNode(program: string): string {
  const version = oldest(pageFor(program))
  const node = nodeOf(`${version}`)
  if (existsSync(node)) return node
  if (process.platform === 'linux') throw new Error(`test/clients/packages lacks Node ${version}.`)
  return process.execPath
}

/** The first program of a page, in a folder of its own until the end of the file. `change`: what a reader changes in it. */
export async function programOf(page: string, change = (code: string) => code) {
  const folder = await mkdtemp(join(tmpdir(), 'player-nfts-test-'))
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  const [code = ''] = /(?<=^```js\n).*?(?=^```$)/ms.exec(await readFile(page, 'utf8')) ?? []
  await writeFile(join(folder, 'program.mjs'), change(code))

  /** Starts the program, until the end of the test. Returns the lines that it prints. */
  function start(variables: Record<string, string>, node = readersNode(code)) {
    const program = spawn(node, ['program.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const kill = () => program.kill('SIGKILL')
    onTestFinished(() => void kill())
    const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
    return { lines, next: async (): Promise<string> => (await lines.next()).value ?? '', kill }
  }
  return { folder, start, length: code.trimEnd().split('\n').length }
}
